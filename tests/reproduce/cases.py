"""Analyses of real files whose scripts must give the ledger's numbers: filters, missing values, several forms of file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reproduce.comparing import PENGUINS
from statistikles.tools.workspace import Workspace

ADELIE = "species = 'Adelie'"
ELSEWHERE = "not (island = 'Biscoe') and year in (2007, 2009)"
NOT_2008 = "sex is missing or year <> 2008"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("t_test", {"type": "independent", "groups": {"column": "body_mass_g", "by": "sex", "where": ADELIE}}),
    ("t_test", {"type": "independent", "alternative": "less", "alpha": 0.1, "mu0": -500,
                "groups": {"column": "body_mass_g", "by": "sex", "where": ELSEWHERE}}),
    ("t_test", {"type": "paired", "group1": "bill_length_mm", "group2": "bill_depth_mm"}),
    ("t_test", {"type": "one_sample", "group1": {"column": "bill_length_mm", "where": NOT_2008}, "mu0": 44}),
    ("anova", {"groups": {"column": "body_mass_g", "by": "species"}}),
    ("anova", {"groups": {"column": "bill_length_mm", "by": "island", "where": "sex = 'male'"}}),
    ("t_test", {"type": "one_sample", "mu0": 60, "group1": {
        "column": "both bills", "define": {"both bills": "bill_length_mm + bill_depth_mm"}, "where": ADELIE}}),
    ("nonparametric_test", {"type": "kruskal_wallis", "groups": {"column": "flipper_length_mm", "by": "island"}}),
    ("nonparametric_test", {"type": "mann_whitney", "groups": {"column": "body_mass_g", "by": "sex"}}),
    ("nonparametric_test", {"type": "wilcoxon", "group1": "bill_length_mm", "group2": "bill_depth_mm"}),
    ("correlation", {"method": "pearson", "x": "bill_length_mm", "y": "flipper_length_mm", "alternative": "greater"}),
    ("correlation", {"method": "spearman", "x": "bill_length_mm", "y": "body_mass_g"}),
    ("correlation", {"method": "kendall", "x": "bill_length_mm", "y": "body_mass_g"}),
    ("correlation", {"method": "partial", "x": "bill_length_mm", "y": "bill_depth_mm", "covariates": ["body_mass_g"]}),
    ("regression", {"x": ["flipper_length_mm", "bill_length_mm"], "y": "body_mass_g"}),
    ("chi_square", {"type": "independence", "observed": {"column": "species", "by": "sex"}}),
    ("chi_square", {"type": "independence", "x": "island", "y": "species"}),
    ("descriptive_statistics", {"data": {"column": "body_mass_g", "where": "bill_depth_mm between 15 and 18.5"}}),
    ("descriptive_statistics", {"groups": {"column": "body_mass_g", "by": "species"}}),
    ("descriptive_statistics", {"groups": {"column": "body_mass_g", "by": "sex"}, "detail": "graph"}),
    ("descriptive_statistics", {"data": "bill_length_mm", "detail": "graph"}),
    ("frequency_analysis", {"data": {"column": "island"}}),
    ("test_assumptions", {"type": "normality", "data": "body_mass_g"}),
    ("test_assumptions", {"type": "levene", "groups": {"column": "body_mass_g", "by": "species"}}),
    ("test_assumptions", {"type": "bartlett", "groups": {"column": "body_mass_g", "by": "species"}}),
    ("inter_rater_reliability", {"type": "cohens_kappa", "rater1": "species", "rater2": "island"}),
    ("pca", {"x": ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]}),
    ("reliability_analysis", {"items": {"columns": ["bill_length_mm", "flipper_length_mm", "body_mass_g"]}}),
]  # fmt: skip


def penguins() -> Workspace:
    """Many analyses of one table."""
    return computed(Workspace(str(PENGUINS)), CALLS)


def computed(workspace: Workspace, calls: list[tuple[str, dict[str, Any]]]) -> Workspace:
    """The workspace once the calls have run; a call that is refused is a fault of the test."""
    for tool, arguments in calls:
        entry = workspace.execute(tool, arguments)
        assert not entry.failed, entry.result
    return workspace


EVIL = [
    '"); system("touch owned"); ("',
    "'); __import__('os').system('touch owned') #",
    "back\\slash \\u0041 \\",
    "line\nbreak",
    "`tick` ${x} %s {y}",
    "ünïcode 数 \U0001f427",
    "# comment",
]


def hostile(folder: Path) -> Workspace:
    """A file whose names and values try to be code."""
    quoted = ['"' + text.replace('"', '""') + '"' for text in EVIL]
    head = ",".join([quoted[0], quoted[1], "value"])
    rows = [
        f"{quoted[2 + i % 5]},{quoted[2 + (i * 7) % 3]},{10 + (i * i) % 17 + i % 5 / 4}" for i in range(60)
    ]
    path = folder / "evil \" ' $x `y`.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    workspace = Workspace({"evil'); x(\"": str(path)})
    names = next(iter((workspace.catalog or {}).values())).column_names
    escaped = EVIL[2].replace("'", "''")
    column = names[0].replace('"', '""')
    where = f"\"{column}\" <> '{escaped}'"
    return computed(
        workspace,
        [
            ("anova", {"groups": {"column": "value", "by": names[0]}}),
            ("t_test", {"type": "one_sample", "group1": {"column": "value", "where": where}, "mu0": 1}),
            ("nonparametric_test", {"type": "kruskal_wallis", "groups": {"column": "value", "by": names[1]}}),
        ],
    )  # fmt: skip


def european(folder: Path) -> Workspace:
    """Semicolons and decimal commas."""
    path = folder / "european.csv"
    rows = [f"{'ab'[i % 2]};{i * 1.25:.2f}".replace(".", ",") for i in range(1, 21)]
    path.write_text("\n".join(["group;value", *rows]) + "\n", encoding="utf-8")
    return computed(
        Workspace(str(path)),
        [("t_test", {"type": "independent", "groups": {"column": "value", "by": "group"}})],
    )


def spreadsheet(folder: Path) -> Workspace:
    """A file that plain reading cannot open: its columns are written into the script."""
    import xlsxwriter

    path = folder / "sheet.xlsx"
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["group", "value"])
    for i in range(1, 21):
        sheet.write_row(i, 0, ["ab"[i % 2], i * 1.25])
    sheet.write_blank(5, 1, None)
    book.close()
    return computed(
        Workspace(str(path)),
        [("t_test", {"type": "independent", "groups": {"column": "value", "by": "group"}})],
    )
