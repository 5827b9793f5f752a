"""The phrases that speak for an intent, each with its weight, and the weighing of a text by them."""

from __future__ import annotations

import re
from functools import cache

from statistikles.neural.planner.intent import Intent, Phrase

__all__ = ["PHRASES", "weigh"]

_NAMED = r"normal|gaussian|uniform|exponential|gamma|beta|poisson|log[ -]?normal|weibull|binomial|logistic|student'?s? t"

_I = Intent
PHRASES: tuple[Phrase, ...] = (
    # comparing
    Phrase(
        "differ",
        _I.COMPARE,
        r"\b(differ(s|ed|ent|ently|ence|ences)?|unequal|disparit(y|ies)|gap)\b",
        1.0,
    ),
    Phrase(
        "compare",
        _I.COMPARE,
        r"\b(compar(e|es|ed|ing|ison)|versus|vs\.?|contrast)\b",
        1.0,
    ),
    Phrase(
        "vary-across",
        _I.COMPARE,
        r"\bvar(y|ies|ied|iation)\b.*\b(across|by|between|with|among|in)\b",
        0.9,
    ),
    Phrase(
        "more-often",
        _I.COMPARE,
        r"\b(more|less|equally|as) (often|likely|frequent(ly)?|common(ly)?|prone|prevalent)\b",
        1.2,
    ),
    Phrase(
        "more-than",
        _I.COMPARE,
        (
            r"\b(more|less|fewer|higher|lower|larger|smaller|greater|longer|shorter|heavier|"
            r"lighter|taller|older|younger|better|worse|faster|slower)\b[^.?]{0,60}\bthan\b|"
            r"\b(?!other|rather|under|over|later|earlier|whether)\w{3,}er than\b"
        ),
        1.2,
    ),
    Phrase(
        "more-in",
        _I.COMPARE,
        (
            r"\b(higher|lower|larger|greater|smaller|bigger|wider|longer|shorter|better|worse|heavier|lighter|older|younger|faster|"
            r"slower|warmer|colder|stronger|weaker|cheaper|more \w+|less \w+) (in|for|among|on|at)\b"
        ),
        1.1,
    ),
    Phrase(
        "earn-more",
        _I.COMPARE,
        r"\b(earn|paid|pay|weigh|cost|live|spend|score|sleep|work|eat|drink|sell|bring in)s?\b[^?.]{0,20}\b(more|less|"
        r"fewer|longer|higher|lower|better|worse)\b|\b(pay|wage|gender|salary|income) gap\b",
        1.0,
    ),
    Phrase(
        "same-in",
        _I.COMPARE,
        (
            r"\b(same|equal(ly)?|identical|alike|similar)\b.*\b(in|across|between|among|for|all|both)\b|"
            r"\bhave the same\b|\b(exceed|surpass|outperform|outweigh|beat)s?\b|\b(uniform|homogeneous|"
            r"homogeneity)\b[^.?!]{0,30}\b(across|over|between|in|among)\b"
        ),
        1.0,
    ),
    Phrase(
        "t-test",
        _I.COMPARE,
        r"\b(t[- ]?tests?|anova|analysis of variance|mann[- ]?whitney|kruskal)\b",
        2.5,
    ),
    Phrase(
        "group-effect",
        _I.COMPARE,
        r"\b(effect|impact|influence)s? of\b",
        0.3,
    ),
    Phrase(
        "before-after",
        _I.PAIRED,
        (
            r"\b(before (and|vs\.?|versus|to) after|pre(-| )?(and|to|vs\.?|versus) ?post|pretest|"
            r"post-?test|paired|matched pairs|repeated measures?|within[- ]subjects?|same (people|"
            r"patients|subjects|students|participants))\b"
        ),
        2.5,
    ),
    Phrase(
        "before-after-loose",
        _I.PAIRED,
        r"\bbefore\b.*\bafter\b|\bbaseline\b.*\bfollow[- ]?up\b",
        1.2,
    ),
    Phrase(
        "change-from",
        _I.PAIRED,
        (
            r"\b(chang(e|ed|es)|improv(e|ed|ement)|increase[ds]?|decrease[ds]?|rise|rose|"
            r"drop(ped)?|f[ae]ll)\b.*\bfrom\b.*\bto\b"
        ),
        1.0,
    ),
    Phrase(
        "fixed-differ",
        _I.FIXED,
        (
            r"\b(differ(s|ent)?( significantly)? from|equal(s)?( to)?|(more|less|higher|lower|"
            r"greater|smaller|larger|other|heavier|longer|shorter|older|younger) than|(above|"
            r"below|exceeds?|at least|reach(es)?))\s+(a |an |the )?(value |mean |average |"
            r"standard |norm |target |fixed |reference )*(of )?-?\d[\d.,]*(?!\s*(%|percent))"
        ),
        1.4,
    ),
    Phrase(
        "fixed-value",
        _I.FIXED,
        (
            r"\b(one[- ]sample|hypothesi[sz]ed (mean|value)|fixed value|reference value|"
            r"population mean)\b"
        ),
        2.0,
    ),
    # association
    Phrase(
        "relation",
        _I.ASSOCIATE,
        (
            r"\b(corr|relat(ion(ship)?s?|ed|es)|correlat(e|es|ed|ions?|ing)|association|associated|"
            r"associate|link(ed|s|age)?|connect(ion|ions|ed)?|tied|dependen(t|ce|cy|cies)|depends?|"
            r"interplay)\b"
        ),
        1.3,
    ),
    Phrase(
        "changes-with",
        _I.ASSOCIATE,
        r"\b(chang(e|es|ed)|var(y|ies|ied)|increas(e|es|ed)|decreas(e|es|ed)|rises?|rose|risen|falls?|fell|fallen|grows?|"
        r"grew|grown|declin(e|es|ed)) (with|over)\b(?! time)",
        1.2,
    ),
    Phrase(
        "goes-up-with",
        _I.ASSOCIATE,
        r"\bgo(es)? (up|down|along|hand in hand) (together )?with\b|\b(moves?|comes?|track|tracks) (together )?with\b|"
        r"\b(move|vary|rise|fall|change|grow|increase|track)s? (closely )?(together|in step|in tandem|in parallel)\b|"
        r"\bhow (closely|strongly|tightly)\b",
        1.3,
    ),
    Phrase(
        "the-more-the-more",
        _I.ASSOCIATE,
        (
            r"\b(do|does|are|is)\s+(older|younger|taller|heavier|larger|bigger|richer|longer|warmer|more \w+|higher|"
            r"better \w+)\s+(?!than)[^?]*\b(more|less|higher|lower|fewer|longer|better|worse|bigger|smaller|faster)\b"
            r"(?! than)|"
            r"\bthe (more|higher|older|longer|larger)\b.*\bthe (more|less|higher|lower|fewer|better|worse|longer)\b"
        ),
        1.3,
    ),
    Phrase(
        "independence",
        _I.ASSOCIATE,
        r"\b(independen(t|ce)( of each other)?|chi[- ]?squared?|fisher'?s exact|contingency)\b",
        1.4,
    ),
    Phrase(
        "correspond",
        _I.ASSOCIATE,
        (
            r"\b(correspond(s|ence|ing)?|go(es)? (together|hand in hand)|mirror(s|ed)?|co-?vary|"
            r"in line with|indicative of|align(s|ed)? with|patterns? (of|in|observed))\b"
        ),
        0.9,
    ),
    Phrase(
        "influence",
        _I.ASSOCIATE,
        (
            r"\b(influenc\w*|impact\w*|affect\w*|effect|interact\w*|contribut\w*|role|determin\w*|"
            r"drive[ns]?|matter)\b"
        ),
        0.7,
    ),
    Phrase(
        "partial",
        _I.ASSOCIATE,
        r"\b(partial correlation|semi-?partial|held constant|holding)\b",
        1.5,
    ),
    Phrase(
        "named-r",
        _I.ASSOCIATE,
        r"\b(pearson|spearman|kendall|mantel|cochran)\b",
        1.5,
    ),
    # prediction
    Phrase(
        "predict",
        _I.PREDICT,
        (
            r"\b(predict(s|ed|ing|ion|or|ors|ive)?|regress(ion|ed|ing)?|forecast|explain(s|ed)?|"
            r"linear model|model(l?ing)?)\b"
        ),
        1.6,
    ),
    Phrase(
        "odds",
        _I.PREDICT,
        r"\bodds (of|that)\b",
        1.6,
    ),
    Phrase(
        "per-unit",
        _I.PREDICT,
        (
            r"\b(how much (does|do|will|would) .* (change|increase|decrease|rise|fall)|per (unit|"
            r"additional)|for (each|every) (additional|extra))\b"
        ),
        1.4,
    ),
    # description
    Phrase(
        "statistic-asked",
        _I.DESCRIBE,
        (
            r"\b(means?|averages?|medians?|middle value|mode|range|quartiles?|quantiles?|percentiles?|skew\w*|"
            r"kurtosis|peak(ed)?(ness)?|asymmetr\w*|standard deviations?|std\.?|variances?|iqr|coefficient of variation|"
            r"interquartile|minimum|maximum|lowest|highest|sum|total|typical|most (frequent|"
            r"common)|central tendency)\b"
        ),
        1.0,
    ),
    Phrase(
        "describe",
        _I.DESCRIBE,
        (
            r"\b(describe|description|descriptive|summar(y|i[sz]e|ies)|overview|tell me about|"
            r"what does .* look like|statistics (of|for|on))\b"
        ),
        1.4,
    ),
    Phrase(
        "how-distributed",
        _I.DESCRIBE,
        r"\b(how (are|is)|how pronounced|how spread|spread out|distributed across)\b",
        0.3,
    ),
    Phrase(
        "per-group",
        _I.DESCRIBE,
        r"\b((by|per|for each|in each|for every|within each|across) )",
        0.2,
    ),
    # frequencies and counts
    Phrase(
        "frequencies",
        _I.FREQUENCIES,
        (
            r"\b(frequenc(y|ies)|how often|how common|breakdown|tabulate|tally|counts? (of|for|by|per|the|"
            r"per) (each|every)?|how many .* (of|in|for) each|proportions?|percentages?|share of|"
            r"what percent)\b"
        ),
        1.1,
    ),
    Phrase(
        "value-counts",
        _I.FREQUENCIES,
        r"\b(count of each|counts? (by|per)|unique values|categories|distinct values)\b",
        1.2,
    ),
    Phrase(
        "how-many",
        _I.COUNT,
        r"^\W*count\b|\b(how many|(number|count) of (rows|records|observations|entries|cases)|count (the|all|how many))\b",
        0.9,
    ),
    Phrase(
        "missing",
        _I.MISSING,
        r"\b(missing|nulls?|nan|blank|empty) (values?|data|entries|cells|observations)?\b",
        1.3,
    ),
    Phrase(
        "far-values",
        _I.OUTLIERS,
        r"\b(beyond|outside|more than|further than|over|exceeding)\s+\d(\.\d)?\s*(standard deviations?|sds?|sigmas?)\b",
        2.2,
    ),
    Phrase(
        "outliers",
        _I.OUTLIERS,
        r"\b(outliers?|outlying|extreme values?|anomal(y|ies|ous))\b",
        2.2,
    ),
    # distributions
    Phrase(
        "normality",
        _I.NORMALITY,
        (
            r"\b(normality|normally distributed|normal(ly)? distribution|gaussian|"
            r"normal(?=\s+(?:in|within|for|across|per|by)\b)|"
            r"bell[- ]?(shaped|curve)|(approximately|close to|roughly|nearly|be|is|are) normal|"
            r"distributed normal\w*|"
            r"distribut\w+\b.*\bnormal\b|shapiro|lilliefors|anderson|jarque)\b"
        ),
        2.4,
    ),
    Phrase(
        "is-it-normal",
        _I.NORMALITY,
        r"^\W*(is|are|does|do|would|looks?)\b[^?]{0,60}\bnormal\s*\??$",
        2.4,
    ),
    Phrase(
        "named",
        _I.FITS,
        rf"\b({_NAMED})(ly)? (distribution|distributed|model|law|curve)",
        1.6,
    ),
    Phrase(
        "is-named",
        _I.FITS,
        (
            r"\b(is|are|be|look|looks|approximately|roughly|as)\b.{0,50}\b(log[- ]?normal|exponential|uniform|poisson|gamma|"
            r"weibull)(ly)?( distributed)?\b(?! (across|between|in|among))"
        ),
        1.2,
    ),
    Phrase(
        "follows",
        _I.FITS,
        (
            r"\b(follow(s|ing)?|fit(s|ted)?|conform\w*|consistent with|according to|resembl\w*|"
            r"represent\w*|adhere\w*|come from|drawn from)\b.{0,60}\b(distribution|distributed)"
        ),
        0.5,
    ),
    Phrase(
        "same-distribution",
        _I.SAME_DISTRIBUTION,
        (
            r"\bdistribut(ion|ions|ional)\b.*\b(similar(ity)?|same|identical|equivalent|align(ed|"
            r"ment|s)?|indistinguishable|alike|congruen\w+|match\w*|differ\w*|compar\w*|"
            r"resembl\w*)|\b(similar(ity)?|same|identical|equivalent|close alignment|alignment|"
            r"align|differ\w*|congruen\w+|compar\w*)\b.*\bdistribut(ion|ions|ional)\b"
        ),
        1.7,
    ),
    Phrase(
        "ks",
        _I.SAME_DISTRIBUTION,
        r"\b(kolmogorov|k-?s test|two[- ]sample ks)\b",
        1.2,
    ),
    Phrase(
        "variances",
        _I.VARIANCES,
        (
            r"\b(varianc(e|es)|variabilit(y|ies)|homogeneity|homosceda\w+|heterosceda\w+|levene|"
            r"bartlett|spread|dispersions?|scatter|equally variable|consisten(t|cy) in)\b"
        ),
        1.3,
    ),
    Phrase(
        "more-variable",
        _I.VARIANCES,
        r"\b(more|less|equally|most|least|as) (variable|spread|consistent|varied|dispersed|homogeneous|scattered)\b",
        2.0,
    ),
    Phrase(
        "variations",
        _I.VARIANCES,
        (
            r"\bvariations? (in|of|between)\b.*\b(differ\w*|similar|same|equal|comparable)|"
            r"\b(differ\w*|similar|same|equal|comparable)\b.*\bvariations? (in|of|between)"
        ),
        1.2,
    ),
    Phrase(
        "equal-variance",
        _I.VARIANCES,
        (
            r"\b(similar|same|equal|comparable|differ\w*|uniform\w*)\b.*\b(variances?|variability|"
            r"spread|dispersions?|scatter)\b|\b(variance|variability|spread|dispersion|"
            r"scatter)\w*\b.*\b(similar|same|equal|comparable|differ\w*|uniform\w*|resembl\w*)"
        ),
        1.0,
    ),
    # studies
    Phrase(
        "sample-size",
        _I.SAMPLE_SIZE,
        (
            r"\b(sample size|how (many|large)\b.{0,60}\b(do|would|should|will|must)\b.{0,20}\b(i|"
            r"we|you|one)?\b.{0,12}\b(need|recruit|require|enrol|include|test|sample|collect)|"
            r"how many (participants|people|subjects|patients|students|respondents|observations|"
            r"animals)\b.{0,40}\b(needed|required|necessary))\b"
        ),
        3.0,
    ),
    Phrase(
        "power",
        _I.POWER,
        (
            r"\b(statistical power|power (of|analysis|to detect|do|would|will)|what power|"
            r"how much power)\b"
        ),
        2.5,
    ),
    Phrase(
        "raters",
        _I.AGREEMENT,
        (
            r"\b(raters?|kappa|inter-?rater|agree(ment)?|bland|icc|concordance|annotators?|"
            r"coders?)\b"
        ),
        2.2,
    ),
    Phrase(
        "reliability",
        _I.RELIABILITY,
        r"\b(reliab\w+|cronbach\w*|internal consistency|alpha of the scale|omega)\b",
        2.4,
    ),
    Phrase(
        "survival",
        _I.SURVIVAL,
        (
            r"\b(survival (time|curve|analysis|probabilit\w+)|kaplan|hazard|log[- ]?rank|time (to|"
            r"until)|how long (until|before|do)|cox)\b"
        ),
        2.2,
    ),
    Phrase(
        "time",
        _I.TIME,
        (
            r"\b(over time|trend|seasonal\w*|autocorrelat\w+|time series|stationar\w+|granger|"
            r"moving average)\b"
        ),
        1.6,
    ),
)


@cache
def _compiled() -> tuple[tuple[Phrase, re.Pattern[str]], ...]:
    return tuple((p, re.compile(p.pattern, re.IGNORECASE | re.DOTALL)) for p in PHRASES)


def weigh(text: str) -> dict[Intent, float]:
    """How strongly the question speaks for each intent, strongest first."""
    out: dict[Intent, float] = {}
    for phrase, pattern in _compiled():
        if pattern.search(text):
            out[phrase.intent] = out.get(phrase.intent, 0.0) + phrase.weight
    return dict(sorted(out.items(), key=lambda item: -item[1]))
