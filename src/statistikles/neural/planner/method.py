"""The decision table: which method answers a reading, why, and on whose authority. The rows are data; first match wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from statistikles.neural.planner.conditions import CONDITIONS
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.reading import Reading

__all__ = ["CONDITIONS", "ROWS", "Row", "choose_row", "matching"]


@dataclass(frozen=True, slots=True)
class Row:
    """One row: when (intent and conditions), what (checks, the leading call, the alternative beside it), and why."""

    id: str
    intent: Intent
    when: tuple[str, ...]
    lead: str
    beside: tuple[str, ...]
    checks: tuple[str, ...]
    reason: str
    source: str

    @property
    def calls(self) -> tuple[str, ...]:
        """Every call in the order it is made: the leading one first."""
        return (self.lead, *self.beside, *self.checks)


_I = Intent
_WELCH = "Delacre, Lakens & Leys 2017, doi:10.5334/irsp.82"
_PRETEST = "Rasch, Kubinger & Moder 2011, doi:10.1007/s00362-009-0224-x"
_CONOVER = "Conover 1999, Practical Nonparametric Statistics, 3rd ed."
ROWS: tuple[Row, ...] = (
    Row(
        "ancova",
        _I.COMPARE,
        ("numeric outcome", "a grouping column", "controls"),
        "ancova",
        (),
        (),
        "a numeric outcome in groups with numeric columns held constant",
        "Maxwell, Delaney & Kelley 2018, Designing Experiments and Analyzing Data, 3rd ed., ch. 9",
    ),
    Row(
        "two-way",
        _I.COMPARE,
        ("numeric outcome", "a grouping column", "a second grouping column"),
        "two-way",
        (),
        (),
        "a numeric outcome by a pair of grouping columns and their interaction",
        "Maxwell, Delaney & Kelley 2018, Designing Experiments and Analyzing Data, 3rd ed., ch. 7",
    ),
    Row(
        "compare-two-ranks",
        _I.COMPARE,
        ("numeric outcome", "two groups", "rank test asked"),
        "Mann-Whitney",
        ("t independent",),
        ("levene",),
        "a rank test was asked for; Welch's t test stands beside it",
        _CONOVER,
    ),
    Row(
        "compare-two",
        _I.COMPARE,
        ("numeric outcome", "two groups"),
        "t independent",
        ("Mann-Whitney",),
        ("normality of groups", "levene"),
        "a numeric outcome in a pair of independent groups; Welch's test does not assume equal variances",
        _WELCH,
    ),
    Row(
        "compare-many-ranks",
        _I.COMPARE,
        ("numeric outcome", "three or more groups", "rank test asked"),
        "Kruskal-Wallis",
        ("anova",),
        ("levene",),
        "a rank test was asked for; the comparison of means stands beside it",
        _CONOVER,
    ),
    Row(
        "compare-many",
        _I.COMPARE,
        ("numeric outcome", "three or more groups"),
        "anova",
        ("Kruskal-Wallis",),
        ("normality of groups", "levene"),
        "a numeric outcome in several independent groups; the classic F test, which assumes equal variances, beside it",
        "Welch 1951, doi:10.1093/biomet/38.3-4.330",
    ),
    Row(
        "paired",
        _I.PAIRED,
        ("two numeric columns",),
        "t paired",
        ("Wilcoxon",),
        (),
        "each row holds both measurements, so the differences within rows are tested",
        "Student 1908, doi:10.1093/biomet/6.1.1",
    ),
    Row(
        "fixed",
        _I.FIXED,
        ("numeric outcome",),
        "t one sample",
        (),
        ("normality",),
        "one numeric column against a given value",
        "Student 1908, doi:10.1093/biomet/6.1.1",
    ),
    Row(
        "stratified",
        _I.ASSOCIATE,
        ("strata",),
        "Mantel-Haenszel",
        (),
        (),
        "a pair of categories within strata: their association with the strata held apart",
        "Mantel & Haenszel 1959, doi:10.1093/jnci/22.4.719",
    ),
    Row(
        "partial",
        _I.ASSOCIATE,
        ("two numeric columns", "controls"),
        "partial",
        ("Pearson",),
        (),
        "numeric columns with others held constant; the plain correlation stands beside it",
        "Fisher 1924, The distribution of the partial correlation coefficient",
    ),
    Row(
        "pearson",
        _I.ASSOCIATE,
        ("two numeric columns", "Pearson asked"),
        "Pearson",
        ("Spearman",),
        (),
        "Pearson's coefficient was asked for; the rank correlation beside it does not need a straight line",
        "Pearson 1895, doi:10.1098/rspl.1895.0041",
    ),
    Row(
        "kendall",
        _I.ASSOCIATE,
        ("two numeric columns", "Kendall asked"),
        "Kendall",
        ("Pearson",),
        (),
        "Kendall's coefficient was asked for",
        "Kendall 1938, doi:10.1093/biomet/30.1-2.81",
    ),
    Row(
        "spearman",
        _I.ASSOCIATE,
        ("two numeric columns", "Spearman asked"),
        "Spearman",
        ("Pearson",),
        (),
        "Spearman's coefficient was asked for",
        "Spearman 1904, doi:10.2307/1412159",
    ),
    Row(
        "coded-categories",
        _I.ASSOCIATE,
        ("codes of a pair of values", "no coefficient asked by name"),
        "chi-square",
        (),
        (),
        "each column is a code of a pair of values: their cross table; the correlation of the codes would be φ",
        "Agresti 2013, Categorical Data Analysis, 3rd ed., ch. 3",
    ),
    Row(
        "correlate-small",
        _I.ASSOCIATE,
        ("two numeric columns", "fewer than 30 rows"),
        "Kendall",
        ("Pearson",),
        (),
        "few rows: Kendall's τ needs neither a straight line nor normal data and settles early; Pearson's r beside it",
        "Kendall & Gibbons 1990, Rank Correlation Methods, 5th ed.",
    ),
    Row(
        "ordered",
        _I.ASSOCIATE,
        ("two numeric columns", "one an ordered code"),
        "Spearman",
        ("Pearson",),
        (),
        "at least one column is a short ordered scale, so ranks are compared; Pearson's r stands beside it",
        "Spearman 1904, doi:10.2307/1412159",
    ),
    Row(
        "correlate",
        _I.ASSOCIATE,
        ("two numeric columns",),
        "Pearson",
        ("Spearman",),
        (),
        "a pair of numeric columns; the rank correlation beside it does not need a straight line",
        "Pearson 1895, doi:10.1098/rspl.1895.0041",
    ),
    Row(
        "categories",
        _I.ASSOCIATE,
        ("two grouping columns",),
        "chi-square",
        (),
        (),
        "a pair of categorical columns: their cross table, with Fisher's exact test beside it",
        "Agresti 2013, Categorical Data Analysis, 3rd ed., ch. 3",
    ),
    Row(
        "logistic",
        _I.PREDICT,
        ("binary outcome", "controls"),
        "logistic",
        (),
        (),
        "the outcome says yes or no",
        "Hosmer, Lemeshow & Sturdivant 2013, Applied Logistic Regression, 3rd ed.",
    ),
    Row(
        "regression",
        _I.PREDICT,
        ("numeric outcome", "controls"),
        "regression",
        (),
        (),
        "a numeric outcome and its predictors",
        "Fox 2016, Applied Regression Analysis, 3rd ed.",
    ),
    Row(
        "normality",
        _I.NORMALITY,
        ("numeric outcome",),
        "normality",
        ("KS normal",),
        (),
        "Shapiro-Wilk has the most power against most departures; the Kolmogorov-Smirnov test stands beside it",
        "Razali & Wah 2011, J. Stat. Modeling and Analytics 2(1):21-33",
    ),
    Row(
        "fit",
        _I.FITS,
        ("numeric outcome",),
        "KS named",
        (),
        (),
        "the whole distribution is compared with the named one",
        "Stephens 1974, doi:10.1080/01621459.1974.10480196",
    ),
    Row(
        "same-distribution",
        _I.SAME_DISTRIBUTION,
        ("two numeric columns",),
        "KS two samples",
        (),
        (),
        "the whole distributions of both columns are compared, not only their means",
        _CONOVER,
    ),
    Row(
        "same-distribution-groups",
        _I.SAME_DISTRIBUTION,
        ("numeric outcome", "two groups"),
        "KS groups",
        (),
        (),
        "the whole distributions of both groups are compared, not only their means",
        _CONOVER,
    ),
    Row(
        "variances",
        _I.VARIANCES,
        ("numeric outcome",),
        "levene",
        ("bartlett",),
        (),
        "Levene's test with the median holds its level when the data are not normal; Bartlett's stands beside it",
        "Brown & Forsythe 1974, doi:10.1080/01621459.1974.10482955",
    ),
    Row(
        "outliers-apart",
        _I.OUTLIERS,
        ("numeric outcome", "outliers set apart"),
        "describe",
        ("outliers of all",),
        (),
        "the values on one side of the rule for outliers summarised; how many lie on the other side stands beside it",
        "Tukey 1977, Exploratory Data Analysis",
    ),
    Row(
        "outliers",
        _I.OUTLIERS,
        ("numeric outcome",),
        "outliers",
        ("describe",),
        (),
        "values far from the rest by the named rules",
        "Tukey 1977, Exploratory Data Analysis",
    ),
    Row(
        "describe-groups",
        _I.DESCRIBE,
        ("numeric outcome", "a grouping column"),
        "describe groups",
        (),
        (),
        "a numeric column summarised within each group",
        "Tukey 1977, Exploratory Data Analysis",
    ),
    Row(
        "extreme-row",
        _I.DESCRIBE,
        ("numeric outcome", "the row of the largest or smallest value"),
        "describe",
        ("rows at the extreme",),
        (),
        "the extreme value, and the rows that hold it",
        "Tukey 1977, Exploratory Data Analysis",
    ),
    Row(
        "describe-side-by-side",
        _I.DESCRIBE,
        ("numeric outcome", "five or more columns"),
        "describe columns",
        (),
        (),
        "several numeric columns summarised side by side",
        "Tukey 1977, Exploratory Data Analysis",
    ),
    Row(
        "describe",
        _I.DESCRIBE,
        ("numeric outcome",),
        "describe",
        (),
        (),
        "a numeric column summarised",
        "Tukey 1977, Exploratory Data Analysis",
    ),
    Row(
        "frequencies",
        _I.FREQUENCIES,
        ("one column",),
        "frequencies",
        (),
        (),
        "the values of one column counted",
        "Agresti 2013, Categorical Data Analysis, 3rd ed., ch. 1",
    ),
    Row(
        "missing-in-table",
        _I.MISSING,
        ("numeric outcome",),
        "describe",
        (),
        (),
        "the missing values of each row, summed over the rows",
        "Little & Rubin 2019, 3rd ed.",
    ),
    Row(
        "missing",
        _I.MISSING,
        ("one column",),
        "frequencies",
        (),
        (),
        "rows with and without a value counted",
        "Little & Rubin 2019, 3rd ed.",
    ),
    Row(
        "count",
        _I.COUNT,
        ("one column",),
        "frequencies",
        (),
        (),
        "the rows that satisfy the condition are counted",
        "Agresti 2013, Categorical Data Analysis, 3rd ed., ch. 1",
    ),
    Row(
        "sample-size",
        _I.SAMPLE_SIZE,
        (),
        "sample size",
        (),
        (),
        "the smallest sample that reaches the wanted power",
        "Cohen 1988, Statistical Power Analysis, 2nd ed.",
    ),
    Row(
        "power",
        _I.POWER,
        (),
        "power",
        (),
        (),
        "power of a two-sided comparison of a pair of means",
        "Cohen 1988, Statistical Power Analysis, 2nd ed.",
    ),
    Row(
        "survival-groups",
        _I.SURVIVAL,
        ("two columns", "a grouping column"),
        "log-rank",
        ("Kaplan-Meier",),
        (),
        "times to an event, some censored, in groups",
        "Kaplan & Meier 1958, doi:10.1080/01621459.1958.10501452",
    ),
    Row(
        "survival",
        _I.SURVIVAL,
        ("two columns",),
        "Kaplan-Meier",
        (),
        (),
        "times to an event, some censored",
        "Kaplan & Meier 1958, doi:10.1080/01621459.1958.10501452",
    ),
    Row(
        "agreement-numbers",
        _I.AGREEMENT,
        ("two numeric columns",),
        "Bland-Altman",
        (),
        (),
        "a pair of measurements of the same thing on a numeric scale",
        "Bland & Altman 1986, doi:10.1016/S0140-6736(86)90837-8",
    ),
    Row(
        "agreement",
        _I.AGREEMENT,
        ("two columns",),
        "kappa",
        (),
        (),
        "a pair of raters sorting into categories",
        "Cohen 1960, doi:10.1177/001316446002000104",
    ),
    Row(
        "reliability",
        _I.RELIABILITY,
        ("three or more columns",),
        "Cronbach",
        (),
        (),
        "several items meant to measure the same thing",
        "Cronbach 1951, doi:10.1007/BF02310555",
    ),
    Row(
        "time",
        _I.TIME,
        ("numeric outcome",),
        "autocorrelation",
        (),
        (),
        "values in their order of time",
        "Box & Jenkins 1976, Time Series Analysis",
    ),
)


def matching(reading: Reading) -> list[Row]:
    """All rows whose intent and conditions fit, in order."""
    return [
        row
        for row in ROWS
        if row.intent == reading.intent and all(CONDITIONS[name](reading) for name in row.when)
    ]


def choose_row(reading: Reading, tools: frozenset[str], tool_of: Callable[[str], str]) -> Row | None:
    """The first row that fits and whose leading tool exists."""
    return next((row for row in matching(reading) if tool_of(row.lead) in tools), None)
