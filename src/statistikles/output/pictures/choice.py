"""Which picture shows which analysis: one table, and the way from a ledger record to its pictures.

A row names a tool, its sub-type (empty: any) and the makers in order; the first that can be made leads. Rows
with an option take the place of the others when it is asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from statistikles.output.pictures.easel import Easel
from statistikles.output.pictures.spec import Picture

if TYPE_CHECKING:
    from statistikles.tools.workspace import Workspace

__all__ = ["CHOICES", "Choice", "options", "picture_of", "pictures_of", "pictures_of_turn"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One row: the analysis, the makers of its pictures, and why these."""

    tool: str
    subtype: str
    makers: tuple[str, ...]
    reason: str
    option: str = ""  # drawn only when asked for by this name


CHOICES: tuple[Choice, ...] = (
    Choice("t_test", "independent", ("groups.boxes_with_means",), "means are compared; the boxes show what they stand for"),
    Choice("t_test", "paired", ("pairs.paired_lines",), "the test looks at the change of each pair"),
    Choice("t_test", "one_sample", ("groups.one_sample",), "the sample, its mean and the value it is held against"),
    Choice("anova", "repeated_measures", ("pairs.paired_lines",), "each subject is its own control"),
    Choice("anova", "one_way", ("groups.boxes_with_means", "spans.pairwise"), "as for two groups, then which pairs differ"),
    Choice("nonparametric_test", "mann_whitney", ("groups.boxes",), "places in order are compared, so no means"),
    Choice("nonparametric_test", "kruskal_wallis", ("groups.boxes",), "places in order are compared, so no means"),
    Choice("nonparametric_test", "mood_median", ("groups.boxes",), "medians are compared"),
    Choice("nonparametric_test", "ks_2sample", ("groups.boxes",), "two whole distributions are compared"),
    Choice("nonparametric_test", "wilcoxon", ("pairs.paired_lines",), "the test looks at the change of each pair"),
    Choice("nonparametric_test", "friedman", ("pairs.paired_lines",), "each subject is its own control"),
    Choice("anova", "factorial", ("cells.means",), "whether lines are parallel is what an interaction is about"),
    Choice("test_assumptions", "normality", ("samples.quantile_plots",), "departures from normality show by their kind"),
    Choice("test_assumptions", "distribution", ("samples.quantile_plot",), "normal: quantiles; others: histogram"),
    Choice("test_assumptions", "levene", ("groups.spread",), "spreads are compared"),
    Choice("test_assumptions", "bartlett", ("groups.spread",), "spreads are compared"),
    Choice("test_assumptions", "outliers", ("groups.spread",), "what lies beyond the whiskers is seen"),
    Choice("descriptive_statistics", "", ("groups.described",), "one sample: its histogram; groups: a box each"),
    Choice("mle_fit", "", ("samples.fitted_histogram",), "whether the distribution fits is seen against the counts"),
    Choice("bootstrap", "", ("samples.histogram",), "the sample that was resampled"),
    Choice("frequency_analysis", "", ("tallies.frequencies",), "shares are compared best as lengths from zero"),
    Choice("chi_square", "independence", ("tallies.shares",), "the shares of each row are what the test compares"),
    Choice("chi_square", "goodness_of_fit", ("tallies.expected_counts",), "observed against expected"),
    Choice("chi_square", "mantel_haenszel", ("spans.strata",), "whether strata agree, and on what"),
    Choice("inter_rater_reliability", "bland_altman", ("fits.agreement",), "how far apart two measurements are"),
    Choice("diagnostic_metrics", "", ("tallies.measures_with_intervals",), "each measure with its interval"),
    Choice("correlation", "pearson", ("relations.scatter_with_line",), "the relation and whether a line describes it"),
    Choice("correlation", "spearman", ("relations.scatter",), "ranks assume no line"),
    Choice("correlation", "kendall", ("relations.scatter",), "ranks assume no line"),
    Choice("correlation", "partial", ("fits.added_variable",), "the relation that covariates leave"),
    Choice("nonlinear_regression", "", ("fits.curve", "fits.curve_residuals"), "the curve, and what it leaves over"),
    Choice("causal_inference", "rdd", ("fits.jump",), "the jump is seen between the two lines"),
    Choice("criterion_validity_test", "", ("relations.scatter_with_line",), "the relation to the criterion"),
    Choice("regression", "", ("relations.fitted_line", "relations.residuals"), "the fit, and what it leaves over"),
    Choice("logistic_regression", "", ("spans.odds_ratios", "relations.roc_curve"), "effects, then how well it tells apart"),
    Choice("survival_analysis", "kaplan_meier", ("courses.survival_curves",), "the curve is the result"),
    Choice("survival_analysis", "log_rank", ("courses.survival_curves",), "the curves that are compared"),
    Choice("survival_analysis", "cox", ("spans.hazard_ratios",), "effects on a scale of ratios"),
    Choice("meta_analysis", "", ("spans.forest",), "every study, its weight and the pooled effect"),
    Choice("time_series", "acf", ("courses.autocorrelations",), "each lag against the band of white noise"),
    Choice("time_series", "pacf", ("courses.autocorrelations",), "each lag against the band of white noise"),
    Choice("time_series", "", ("courses.course",), "the series itself"),
    Choice("pca", "", ("courses.scree",), "how many components matter"),
    Choice("t_test", "independent", ("groups.violins_with_means",), "whole distributions, not only quartiles", "violins"),
    Choice("anova", "one_way", ("groups.violins_with_means", "spans.pairwise"), "as for two groups", "violins"),
    Choice("descriptive_statistics", "", ("groups.violins_with_means",), "whole distributions side by side", "violins"),
    Choice("nonparametric_test", "mann_whitney", ("groups.violins",), "whole distributions side by side", "violins"),
    Choice("nonparametric_test", "kruskal_wallis", ("groups.violins",), "whole distributions side by side", "violins"),
    Choice("nonparametric_test", "mood_median", ("groups.violins",), "whole distributions side by side", "violins"),
    Choice("nonparametric_test", "ks_2sample", ("groups.violins",), "whole distributions are compared", "violins"),
    Choice("test_assumptions", "levene", ("groups.violins",), "spreads are compared", "violins"),
    Choice("test_assumptions", "bartlett", ("groups.violins",), "spreads are compared", "violins"),
)  # fmt: skip


def picture_of(record: Mapping[str, Any], workspace: Workspace | Any, *, option: str = "") -> Picture | None:
    """The leading picture of one call, None when there is none.

    Parameters
    ----------
    record : {id, tool, arguments, result} as a reply or ledger entry gives it.
    workspace : the workspace (or session) whose ledger holds the call; what the picture needs beyond the result is
        computed there, through the executor, and recorded in its ledger.
    option : another kind of picture where there is one: "violins".
    """
    return next(iter(_made(record, workspace, option)), None)


def pictures_of(record: Mapping[str, Any], workspace: Workspace | Any, *, option: str = "") -> list[Picture]:
    """All pictures of one call, the leading one first."""
    return list(_made(record, workspace, option))


def _made(record: Mapping[str, Any], workspace: Workspace | Any, option: str) -> Iterator[Picture]:
    if "error" in record["result"]:
        return
    choice = chosen(str(record["tool"]), record["arguments"], option)
    if choice is None:
        return
    desk = getattr(workspace, "workspace", workspace)
    if not _same_data(str(record["id"]), desk):
        return
    drawn = False
    for maker in choice.makers:
        picture = _maker(maker)(Easel(record, desk))
        if picture is not None:
            drawn = True
            yield picture
    if not drawn and choice.option:  # the option does not fit these data
        yield from _made(record, workspace, "")


def _same_data(ident: str, workspace: Workspace) -> bool:
    """Whether the tables are still those the call was computed from; a picture of others would show other numbers."""
    now = workspace.fingerprints()
    return all(now.get(table) == mark for table, mark in workspace.ledger[ident].data.items())


def pictures_of_turn(
    records: Sequence[Mapping[str, Any]], workspace: Workspace | Any, *, option: str = ""
) -> list[Picture]:
    """The pictures of a turn: all of the leading call, then those of the others that show something new.

    Checks of assumptions get a picture only when they are what was asked.
    """
    out: list[Picture] = []
    kinds: set[str] = set()
    for record in records:
        if out and record["tool"] == "test_assumptions":
            continue
        made = (
            pictures_of(record, workspace, option=option)
            if not out
            else [picture_of(record, workspace, option=option)]
        )
        new = [picture for picture in made if picture is not None and picture.kind not in kinds]
        out += new
        kinds |= {picture.kind for picture in new}
    return out


def chosen(tool: str, arguments: Mapping[str, Any], option: str = "") -> Choice | None:
    """The row of a call; that of the option where there is one."""
    from statistikles.errors import StatistiklesError
    from statistikles.registry.declare import choose
    from statistikles.registry.manifest import load

    try:
        subtype = choose(load(tool), arguments)[0].subtype
    except StatistiklesError:
        return None
    rows = [c for c in CHOICES if c.tool == tool and c.subtype in ("", subtype) and c.option in ("", option)]
    return max(rows, key=lambda c: (c.option == option, len(c.subtype)), default=None)


def options() -> list[str]:
    """What can be asked for instead of the usual pictures."""
    return sorted({choice.option for choice in CHOICES} - {""})


def _maker(name: str) -> Callable[[Easel], Picture | None]:
    module, _, function = name.partition(".")
    found: Callable[[Easel], Picture | None] = getattr(
        importlib.import_module(f"statistikles.output.pictures.{module}"), function
    )
    return found
