"""Tables for questions that no rule was written for: data sets that packages ship, and made-up ones of usual shapes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["frame"]


@cache
def frame(name: str) -> Any:
    """The table of a name."""
    return _MAKERS[name]()


def _iris() -> Any:
    from sklearn.datasets import load_iris

    bunch = load_iris()
    table = pd.DataFrame(bunch.data, columns=["sepal_length", "sepal_width", "petal_length", "petal_width"])
    table["species"] = [str(bunch.target_names[i]) for i in bunch.target]
    return table


def _wine() -> Any:
    from sklearn.datasets import load_wine

    bunch = load_wine()
    table = pd.DataFrame(bunch.data, columns=bunch.feature_names)
    table["cultivar"] = [f"cultivar {'ABC'[i]}" for i in bunch.target]
    return table


def _diabetes() -> Any:
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes(scaled=False)
    table = pd.DataFrame(bunch.data, columns=bunch.feature_names)
    table["sex"] = np.where(table["sex"] > 1, "F", "M")
    table["progression"] = bunch.target
    return table


def _cancer() -> Any:
    from sklearn.datasets import load_breast_cancer

    bunch = load_breast_cancer()
    table = pd.DataFrame(bunch.data[:, :10], columns=bunch.feature_names[:10])
    table["diagnosis"] = np.where(bunch.target == 0, "malignant", "benign")
    return table


def _longley() -> Any:
    import statsmodels.datasets.longley as longley

    table: Any = longley.load_pandas().data
    return table.rename(
        columns={"TOTEMP": "employed", "UNEMP": "unemployed", "GNPDEFL": "deflator", "POP": "population"}
    )


def _fair() -> Any:
    import statsmodels.datasets.fair as fair

    return fair.load_pandas().data


def _anes() -> Any:
    import statsmodels.datasets.anes96 as anes

    return anes.load_pandas().data[["TVnews", "selfLR", "PID", "age", "educ", "income", "vote"]]


def _staff() -> Any:
    rng = np.random.default_rng(11)
    n = 240
    gender = rng.choice(["female", "male"], n)
    department = rng.choice(["Sales", "Engineering", "Support"], n, p=[0.4, 0.35, 0.25])
    age = rng.integers(21, 64, n)
    service = np.clip(np.round(rng.gamma(2, 3, n), 1), 0, age - 20)
    salary = np.round(
        28000 + 350 * age + 900 * service + (department == "Engineering") * 9000 + rng.normal(0, 5000, n)
    )
    left = np.where(rng.random(n) < 1 / (1 + np.exp(service / 4)), "yes", "no")
    salary[rng.choice(n, 9, replace=False)] = np.nan
    return pd.DataFrame(
        {
            "employee_id": np.arange(1001, 1001 + n),
            "department": department,
            "gender": gender,
            "age": age,
            "salary": salary,
            "years_service": service,
            "overtime_hours": np.round(rng.exponential(6, n), 1),
            "left_company": left,
            "satisfaction": rng.integers(1, 6, n),
            "remote": rng.integers(0, 2, n),
            "bonus": np.round(rng.normal(3000, 800, n)),
        }
    )


def _trial() -> Any:
    rng = np.random.default_rng(12)
    n = 120
    arm = np.array(["drug", "placebo"])[np.arange(n) % 2]
    before = np.round(rng.normal(150, 12, n))
    after = np.round(before - np.where(arm == "drug", 9, 2) + rng.normal(0, 7, n))
    return pd.DataFrame(
        {
            "patient": [f"P{i:03d}" for i in range(n)],
            "arm": arm,
            "centre": rng.choice(["north", "south"], n),
            "sbp_before": before,
            "sbp_after": after,
            "weight_kg": np.round(rng.normal(78, 13, n), 1),
            "age": rng.integers(30, 80, n),
            "smoker": rng.choice(["yes", "no"], n, p=[0.3, 0.7]),
            "responder": (rng.random(n) < np.where(arm == "drug", 0.6, 0.3)).astype(int),
            "days_to_relapse": np.round(rng.exponential(np.where(arm == "drug", 200, 120), n)) + 1,
            "relapsed": (rng.random(n) < 0.7).astype(int),
        }
    )


def _weather() -> Any:
    rng = np.random.default_rng(13)
    days = pd.date_range("2021-01-01", periods=120, freq="D")
    rows = []
    for city, level in (("Oslo", 4.0), ("Rome", 16.0), ("Cairo", 24.0)):
        temperature = level + 5 * np.sin(np.arange(120) / 19) + rng.normal(0, 2 + level / 12, 120)
        for day, t in zip(days, temperature, strict=True):
            rows.append(
                {
                    "day": day.strftime("%Y-%m-%d"),
                    "city": city,
                    "temp_c": round(float(t), 1),
                    "rain_mm": round(float(rng.gamma(0.6, 6)), 1),
                    "wind_kmh": round(float(rng.gamma(4, 4)), 1),
                    "humidity": int(np.clip(rng.normal(62, 14), 10, 100)),
                    "year": 2021 + (day.day % 2),
                }
            )
    return pd.DataFrame(rows)


def _orders() -> Any:
    rng = np.random.default_rng(14)
    n = 300
    placed = pd.Timestamp("2023-03-01") + pd.to_timedelta(rng.integers(0, 200, n), unit="D")
    sent = placed + pd.to_timedelta(rng.integers(1, 9, n), unit="D")
    price = np.round(rng.lognormal(3.2, 0.5, n), 2)
    quantity = rng.integers(1, 13, n)
    return pd.DataFrame(
        {
            "order_no": np.arange(50001, 50001 + n),
            "region": rng.choice(["north", "south", "east", "west"], n),
            "channel": rng.choice(["web", "store"], n),
            "unit_price": price,
            "quantity": quantity,
            "discount_pct": rng.choice([0, 5, 10, 20], n),
            "order_date": placed.strftime("%Y-%m-%d"),
            "ship_date": sent.strftime("%Y-%m-%d"),
            "returned": rng.choice(["yes", "no"], n, p=[0.15, 0.85]),
            "revenue": np.round(price * quantity, 2),
        }
    )


_MAKERS = {
    "iris": _iris,
    "wine": _wine,
    "diabetes": _diabetes,
    "cancer": _cancer,
    "longley": _longley,
    "fair": _fair,
    "anes": _anes,
    "staff": _staff,
    "trial": _trial,
    "weather": _weather,
    "orders": _orders,
}
