"""Small made-up tables on which the planner's rules are tried; their numbers mean nothing."""

from __future__ import annotations

from statistikles.neural.planner.view import TableView


def trial(rows: int = 60) -> TableView:
    """A clinical trial: groups, measurements before and after, events, raters, items."""
    return TableView.of_rows(
        "trial",
        [
            {
                "PatientID": f"P{i:03d}",
                "arm": ("placebo", "drug A", "drug B")[i % 3],
                "sex": ("F", "M")[i % 2],
                "smoker": ("yes", "no")[(i // 2) % 2],
                "ageYears": 20.5 + i,
                "systolicBP_mmHg": 110.25 + (i * 7) % 40,
                "weight_kg": 55.5 + (i * 11) % 37,
                "bp_before": 120.5 + (i * 3) % 29,
                "bp_after": 115.5 + (i * 5) % 31,
                "pain_score": 1 + i % 5,
                "relapsed": i % 2,
                "vaccinated": (i // 3) % 2,
                "weeks": 1.5 + (i * 13) % 50,
                "rater1_grade": ("low", "mid", "high")[i % 3],
                "rater2_grade": ("low", "mid", "high")[(i + i % 2) % 3],
                "item1": 1 + i % 9,
                "item2": 1 + (i * 2) % 9,
                "item3": 1 + (i * 4) % 9,
                "year": 2017 + i % 4,
            }
            for i in range(rows)
        ],
    )


def shop() -> TableView:
    """A shop: run-together and abbreviated names, spaces, a few rows only."""
    return TableView.of_rows(
        "shop",
        [
            {
                "NumWebOrders": 3 + (i * 5) % 17,
                "NumStoreOrders": 2 + (i * 3) % 19,
                "AmtWine": 10.5 * ((i * 7) % 23),
                "AmtFish": 4.25 * ((i * 9) % 21),
                "hhincome": 20000.5 + 731.25 * ((i * 8) % 27),
                "custregion": ("north", "south", "west")[i % 3],
                "Average Basket Price": 12.75 + (i * 4) % 13,
                "maritalStatus": ("single", "married", "widowed")[(i * 2) % 3],
            }
            for i in range(27)
        ],
    )
