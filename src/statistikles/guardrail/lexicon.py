"""The words of statistics as data: which label names which role, which symbol, and which words carry a claim."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from statistikles.results.roles import Role, role_of_key

from .words import word_set

__all__ = [
    "FILLER",
    "LABELS",
    "Label",
    "carried_by",
    "compatible",
    "find_labels",
    "may_be_chance",
    "symbol_of_key",
]


@dataclass(frozen=True, slots=True)
class Label:
    """What a label word in prose claims a number to be.

    `symbol` narrows the role to one statistic (an F is no t); `signed` labels must carry their sign.
    """

    id: str
    roles: frozenset[Role]
    symbol: str = ""
    signed: bool = False


def _rows(*rows: tuple[str, str, tuple[Role, ...], str, bool]) -> list[tuple[Label, list[str]]]:
    return [(Label(i, frozenset(r), sym, sign), phrases.split("|")) for i, phrases, r, sym, sign in rows]


R = Role
_LOCATION = (R.MEAN, R.ESTIMATE)
# id, phrases (case-insensitive), roles, symbol, signed
_WORD_LABELS = _rows(
    ("p", "p-value|p value|p-values|p values|pvalue|valeur p|p-wert|significance level of the test|levene p", (R.P_VALUE,), "p", False),
    ("adj_r2", "adjusted r²|adjusted r2|adjusted r^2|adj. r²|adj r²|adj. r2|adj r2|adj. r^2|adjusted r-squared|adjusted r squared|r² ajusté|korrigiertes r²|adjusted coefficient of determination", (R.DETERMINATION,), "adj_r2", False),
    ("r2", "r²|r2|r^2|r-squared|r squared|coefficient of determination|bestimmtheitsmaß|mcfadden's r²|pseudo r²|pseudo-r²|mcfadden r²|mcfadden's r2", (R.DETERMINATION,), "r2", False),
    ("explained", "variance explained|explained variance|share of variance|proportion of variance", (R.DETERMINATION, R.EFFECT_SIZE, R.RATIO, R.PERCENT, R.PROPORTION), "", False),
    ("chi2", "χ²|χ2|χ^2|chi-square|chi-squared|chi square|chi squared|chi²|chi2|chi-quadrat|khi-deux", (R.STATISTIC,), "chi2", False),
    ("eta2", "η²|η2|η^2|eta²|eta squared|eta-squared|partial η²|partial η^2|partial eta squared|ηp²|η²p|ηg²|η²g|ηg^2|η_g²|partial eta-squared|generalised eta squared|η²_p|η_p²|η_p^2", (R.EFFECT_SIZE, R.DETERMINATION), "eta2", False),
    ("omega2", "ω²|omega squared|omega-squared|ω^2", (R.EFFECT_SIZE,), "omega2", False),
    ("epsilon2", "ε²|epsilon squared|epsilon-squared", (R.EFFECT_SIZE,), "epsilon2", False),
    ("d", "cohen's d|cohen’s d|cohens d|d_z|d z|dz|effect size d|standardised mean difference|standardized mean difference|smd|glass's delta", (R.EFFECT_SIZE,), "d", True),
    ("g", "hedges' g|hedges’ g|hedges g|hedges's g", (R.EFFECT_SIZE,), "g", True),
    ("v", "cramér's v|cramer's v|cramér’s v|cramers v|cramer v|cramér v", (R.EFFECT_SIZE,), "v", False),
    ("rb", "rank-biserial correlation|rank-biserial|rank biserial|rank-biserial r|rank-biserial correlation r", (R.EFFECT_SIZE, R.CORRELATION), "r", True),
    ("effect", "effect size|effektstärke|taille d'effet|taille d’effet", (R.EFFECT_SIZE, R.CORRELATION, R.RATIO, R.DETERMINATION, R.ESTIMATE), "", False),
    ("r", "correlation coefficient|pearson r|pearson's r|pearson correlation|r_rm|multiple r|korrelation|korrelationskoeffizient|corrélation", (R.CORRELATION, R.EFFECT_SIZE), "r", True),
    ("corr", "correlation|correlations|correlated at|correlate at|correlates at", (R.CORRELATION, R.EFFECT_SIZE), "", False),
    ("rho", "spearman's rho|spearman rho|spearman's ρ|spearman ρ|spearman's rs|r_s", (R.CORRELATION,), "rho", True),
    ("tau", "kendall's tau|kendall's τ|kendall tau|kendall's tau-b|tau-b", (R.CORRELATION,), "tau", True),
    ("or", "odds ratio|odds ratios|chances ratio|rapport de cotes|quotenverhältnis", (R.RATIO, R.ESTIMATE), "or", False),
    ("hr", "hazard ratio|hazard ratios|rapport de risques instantanés", (R.RATIO, R.ESTIMATE), "hr", False),
    ("rr", "risk ratio|relative risk|risk ratios|risque relatif|relatives risiko", (R.RATIO, R.ESTIMATE), "rr", False),
    ("irr", "incidence rate ratio|rate ratio|incidence-rate ratio|rate ratios", (R.RATIO, R.ESTIMATE), "irr", False),
    ("vif", "vif|vifs|variance inflation factor|variance inflation factors", (R.RATIO, R.VALUE), "vif", False),
    ("mean", "mean|means|average|averages|averaged|averaging|mittelwert|mittel|moyenne|moyennes|durchschnitt|durchschnittlich", (R.MEAN, R.ESTIMATE), "", False),
    ("diff", "mean difference|average difference|difference in means|mean change|average change|difference between the means|mittlere differenz|différence moyenne", (R.ESTIMATE, R.MEAN, R.COEFFICIENT, R.EFFECT_SIZE, R.VALUE), "", True),
    ("median", "median|medians|mediane|médiane|médian", (R.MEDIAN,), "", False),
    ("quartile", "lower quartile|upper quartile|first quartile|third quartile", (R.QUANTILE, R.RANGE), "", False),
    ("mode", "modal value", (R.MODE,), "", False),
    ("sd", "sd|sds|s.d.|std|std. dev.|std dev|std. dev|standard deviation|standard deviations|standardabweichung|écart-type|écart type|ecart-type|et", (R.STD_DEV,), "", False),
    ("se", "se|ses|s.e.|sem|standard error|standard errors|std. error|std. err.|std error|std err|standardfehler|erreur standard|erreur type|erreur-type", (R.STD_ERROR,), "", False),
    ("resid_se", "residual standard error|residual se|residual sd|residual standard deviation|residual error|rmse|root mean squared error|root mean square error|prediction error", (R.STD_DEV,), "resid", False),
    ("variance", "variance|varianz", (R.VARIANCE,), "", False),
    ("tau2", "τ²|τ2|τ^2|tau²|tau2|tau squared|tau-squared|between-study variance", (R.VARIANCE,), "tau2", False),
    ("i2", "i²|i2|i^2|i squared|i-squared", (R.PERCENT, R.PROPORTION, R.VALUE), "i2", False),
    ("min", "minimum|min|min.", (R.MINIMUM,), "", False),
    ("max", "maximum|max|max.", (R.MAXIMUM,), "", False),
    ("lowest", "smallest|lowest|shortest", (R.MINIMUM,), "", False),
    ("highest", "largest|longest|biggest|highest", (R.MAXIMUM,), "", False),
    ("iqr", "iqr|interquartile range", (R.RANGE, R.QUANTILE), "iqr", False),
    ("df", "df|dof|d.f.|degrees of freedom|freiheitsgrade|ddl|degrés de liberté|freiheitsgraden", (R.DF,), "", False),
    ("n", "sample size|stichprobe|stichprobenumfang|effectif|number of observations|number of participants", (R.COUNT,), "", False),
    ("coef", "coefficient|coefficients|slope|slopes|regression coefficient|steigung|pente|beta", (R.COEFFICIENT, R.ESTIMATE, R.CORRELATION, R.SHAPE), "", True),
    ("intercept", "intercept|constant|achsenabschnitt", (R.INTERCEPT, R.COEFFICIENT, R.ESTIMATE), "", True),
    ("power", "power|statistical power|observed power|puissance|teststärke", (R.POWER,), "", False),
    ("aic", "aic|aicc", (R.INFORMATION,), "aic", False),
    ("bic", "bic", (R.INFORMATION,), "bic", False),
    ("ll", "log-likelihood|log likelihood|loglik|deviance", (R.LIKELIHOOD,), "", True),
    ("skew", "skewness|skew|schiefe", (R.SHAPE,), "skew", True),
    ("kurt", "kurtosis|excess kurtosis", (R.SHAPE,), "kurt", True),
    ("cv", "coefficient of variation", (R.SHAPE,), "cv", False),
    ("bf", "bayes factor|bf10|bf₁₀|bf01|bf", (R.BAYES_FACTOR,), "", False),
    ("t", "t-statistic|t statistic|t-value|t value|t ratio|t-ratio", (R.STATISTIC,), "t", True),
    ("f", "f-statistic|f statistic|f-value|f value|f-ratio", (R.STATISTIC,), "f", False),
    ("z", "z-statistic|z statistic|z-score|z score|z-value|z value", (R.STATISTIC,), "z", True),
    ("u", "mann-whitney u|mann–whitney u|u statistic", (R.STATISTIC,), "u", False),
    ("h", "kruskal-wallis h|kruskal–wallis h", (R.STATISTIC,), "h", False),
    ("kw", "kendall's w|kendall w|coefficient of concordance", (R.EFFECT_SIZE, R.CORRELATION), "w", False),
    ("w", "wilcoxon w|shapiro-wilk w|shapiro–wilk w", (R.STATISTIC,), "w", False),
    ("dw", "durbin-watson|durbin–watson|durbin watson", (R.STATISTIC, R.VALUE), "dw", False),
    ("kappa", "kappa|cohen's kappa|cohen’s kappa|fleiss' kappa", (R.VALUE, R.CORRELATION, R.ESTIMATE), "kappa", True),
    ("alpha_c", "cronbach's alpha|cronbach’s alpha|cronbach alpha|cronbach's α|cronbach’s α", (R.VALUE, R.ALPHA, R.ESTIMATE), "alpha", False),
    ("icc", "icc|intraclass correlation", (R.VALUE, R.CORRELATION, R.ESTIMATE), "icc", False),
    ("cook", "cook's distance|cook’s distance|cook's d|cook’s d", (R.DISTANCE, R.EFFECT_SIZE), "cook", False),
    ("rss", "rss|residual sum of squares|sum of squares", (R.SUM_OF_SQUARES,), "", False),
)  # fmt: skip

# Symbols: case matters, and they count only before = < > ( : or a figure.
_SYMBOL_LABELS: dict[str, Label] = {
    sym: Label(i, frozenset(roles), cls, signed)
    for i, syms, roles, cls, signed in (
        ("p", "p P", (R.P_VALUE,), "p", False),
        ("t", "t", (R.STATISTIC,), "t", True),
        ("f", "F", (R.STATISTIC,), "f", False),
        ("z", "z Z", (R.STATISTIC,), "z", True),
        ("u", "U", (R.STATISTIC,), "u", False),
        ("w", "W", (R.STATISTIC,), "w", False),
        ("h", "H", (R.STATISTIC,), "h", False),
        ("q", "Q", (R.STATISTIC,), "q", False),
        ("s", "S JB", (R.STATISTIC,), "", True),
        ("d_stat", "D", (R.STATISTIC, R.DISTANCE), "ks", False),
        ("d", "d", (R.EFFECT_SIZE,), "d", True),
        ("g", "g", (R.EFFECT_SIZE,), "g", True),
        ("r", "r", (R.CORRELATION, R.EFFECT_SIZE), "r", True),
        ("rho", "ρ rho rs", (R.CORRELATION,), "rho", True),
        ("tau", "τ tau", (R.CORRELATION,), "tau", True),
        ("b", "b B β", (R.COEFFICIENT, R.ESTIMATE), "", True),
        ("n", "n N", (R.COUNT,), "", False),
        ("k", "k", (R.COUNT,), "", False),
        ("m", "M", (R.MEAN, R.ESTIMATE), "", False),
        ("mdn", "Mdn Md", (R.MEDIAN,), "", False),
        ("v", "V", (R.EFFECT_SIZE,), "v", False),
        ("or", "OR", (R.RATIO, R.ESTIMATE), "or", False),
        ("hr", "HR", (R.RATIO, R.ESTIMATE), "hr", False),
        ("rr", "RR", (R.RATIO, R.ESTIMATE), "rr", False),
        ("irr", "IRR", (R.RATIO, R.ESTIMATE), "irr", False),
        ("kappa", "κ", (R.VALUE, R.CORRELATION, R.ESTIMATE), "kappa", True),
        ("alpha", "α", (R.ALPHA, R.VALUE), "alpha", False),
        ("bf", "BF", (R.BAYES_FACTOR,), "", False),
        ("lm", "LM", (R.STATISTIC, R.VALUE), "lm", False),
    )
    for sym in syms.split()
}  # fmt: skip

_BY_PHRASE: dict[str, Label] = {phrase: label for label, phrases in _WORD_LABELS for phrase in phrases}
LABELS: dict[str, Label] = {label.id: label for label, _ in _WORD_LABELS} | {
    v.id: v for v in _SYMBOL_LABELS.values()
}
_FIRST = re.compile(r"[^\W_]+")
_FOLD = str.maketrans("’–‐", "'--")
# First word of a phrase -> its phrases, longest first.
_STARTS: dict[str, list[tuple[str, Label]]] = {}
for _phrase in sorted(_BY_PHRASE, key=len, reverse=True):
    _folded = _phrase.translate(_FOLD)
    _match = _FIRST.match(_folded)
    _STARTS.setdefault(_match.group() if _match else _folded, []).append((_folded, _BY_PHRASE[_phrase]))
# What a symbol may be followed by: a subscript, then a relation, a figure or a verb.
_SYMBOL_TAIL = re.compile(
    r"(?:[ ]?_[ ]?\{?[A-Za-z0-9]{1,6}\}?|['’]s)?"
    r"(?:[ ]{0,3}(?=[=<>≈≤≥≪≫:])|[ ]{1,3}(?=[-−–+]?[\d.,]|(?:is|was|of|below|above|under|about|value|values)\b)"
    r"|(?=[ ]?\([^()\n]{1,40}\)[ ]{0,3}[=<>≈]))"
)


def _lowered(text: str) -> str:
    """Lower case of the same length, typographic signs folded."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low.translate(_FOLD)


def _phrase_at(low: str, start: int, first: str) -> tuple[int, Label] | None:
    for phrase, label in _STARTS.get(first, ()):
        end = start + len(phrase)
        if low.startswith(phrase, start):
            following = low[end : end + 1]
            if not (following.isalnum() or following == "²" or low.startswith("^2", end)):
                return end, label
    return None


def find_labels(
    text: str, words: Iterable[tuple[int, int, str]] | None = None
) -> list[tuple[int, int, Label]]:
    """Every label of a cleaned prose with its span; `words` are the (start, end, text) of its words when known."""
    found: list[tuple[int, int, Label]] = []
    low = _lowered(text)
    done = 0
    for start, end, word in (
        words if words is not None else ((m.start(), m.end(), m.group()) for m in _FIRST.finditer(text))
    ):
        if start < done:
            continue
        first = low[start:end]
        symbol = _SYMBOL_LABELS.get(word)
        if symbol is None and first not in _STARTS:
            continue
        if start and text[max(0, start - 4) : start].rstrip(" {")[-1:] == "_":
            continue
        hit = _phrase_at(low, start, first)
        if hit is not None and not (first == "et" and word != "ET"):
            done = hit[0]
            found.append((start, done, hit[1]))
        elif symbol is not None and not (start > 1 and text[start - 1] == " " and text[start - 2].isdigit()):
            tail = _SYMBOL_TAIL.match(text, end)
            if tail is not None:
                found.append((start, tail.end(), symbol))
    return found


FILLER = word_set(
    "of is was were are be been the a an at about around roughly approximately approx nearly almost only just over under "
    "exactly equal equals now came comes with value values score estimated observed here both some ca circa as low "
    "high more less than il est de la le du des war ist von bei étant était environ etwa rund ungefähr "
    "being remains remained stands stood lies lay reached reaches hits gives gave yields turns out an estimate "
    "reported printed still even well merely statistic statistics test gets got went has had have i.e e.g"
)

# Which statistic a key name is bound to; keys not listed are bound to none.
_KEY_SYMBOLS: dict[str, str] = {
    key: sym
    for sym, keys in {
        "p": "p_value p pvalue pval p_val p_adj p_unc p_corr",
        "t": "t t_statistic t_stat tstat t_value tvalue tval",
        "f": "f f_statistic f_stat fstat f_value fvalue fval",
        "z": "z z_score z_value z_stat zvalue zval",
        "chi2": "chi2 chi_square chi_squared x2 chisq",
        "u": "u u_statistic u_stat",
        "w": "w w_statistic shapiro_w kendalls_w cohens_w",
        "h": "h h_statistic",
        "q": "q cochran_q cochrans_q",
        "ks": "ks_statistic d_statistic",
        "d": "d cohens_d cohen_d cohens_dz dz d_z cohens_ds",
        "g": "g hedges_g",
        "eta2": "eta_squared eta2 partial_eta_squared partial_eta_sq np2 eta_sq",
        "omega2": "omega_squared omega2",
        "epsilon2": "epsilon_squared epsilon2",
        "v": "cramers_v cramer_v v",
        "r": "r pearson_r rank_biserial rank_biserial_correlation multiple_r r_rm corr correlation",
        "rho": "rho spearman_rho rs",
        "tau": "tau kendall_tau tau_b",
        "r2": "r_squared r2 rsquared pseudo_r2 mcfadden_r2 prsquared",
        "adj_r2": "adj_r_squared adj_r2 adjusted_r_squared r_squared_adj rsquared_adj adjusted_r2",
        "or": "odds_ratio or",
        "hr": "hazard_ratio hr",
        "rr": "risk_ratio rr relative_risk",
        "irr": "irr rate_ratio incidence_rate_ratio",
        "aic": "aic aicc",
        "bic": "bic",
        "vif": "vif",
        "skew": "skewness skew",
        "kurt": "kurtosis excess_kurtosis",
        "cook": "cooks_d cook_d cooks_distance",
        "dw": "durbin_watson dw",
        "tau2": "tau2 tau_squared",
        "i2": "i2 i2_percent i_squared",
        "resid": "residual_se residual_sd rmse residual_std_error sigma residual_standard_error",
        "iqr": "iqr",
        "kappa": "kappa cohens_kappa cohen_kappa",
        "alpha": "cronbach_alpha cronbachs_alpha",
        "icc": "icc",
    }.items()
    for key in keys.split()
}
# Symbols that name the same thing or may stand for one another in prose.
_SAME = [{"rr", "irr"}, {"r", "rho", "tau"}, {"d", "g"}, {"z", "u", "w"}, {"rr", "hr"}]


@lru_cache(maxsize=4096)
def symbol_of_key(key: str) -> str:
    """The statistic a key is bound to, "" when to none ("statistic", "estimate")."""
    name = key.strip().casefold().replace("-", "_").replace(" ", "_")
    for prefix in ("max_", "min_", "largest_"):
        if name.removeprefix(prefix) in {"cooks_d", "cook_d", "cooks_distance", "vif"}:
            name = name.removeprefix(prefix)
    return _KEY_SYMBOLS.get(name, "")


# Roles that prose may call by each other's names without being wrong.
_NEAR: dict[Role, frozenset[Role]] = {
    R.MEAN: frozenset({R.ESTIMATE, R.PROPORTION, R.PERCENT, R.VALUE, R.COEFFICIENT}),
    R.ESTIMATE: frozenset(
        {R.MEAN, R.COEFFICIENT, R.EFFECT_SIZE, R.RATIO, R.CORRELATION, R.PROPORTION, R.VALUE}
    ),
    R.COEFFICIENT: frozenset({R.ESTIMATE, R.MEAN, R.INTERCEPT}),
    R.EFFECT_SIZE: frozenset({R.CORRELATION, R.DETERMINATION, R.RATIO, R.PROBABILITY}),
    R.RATIO: frozenset({R.EFFECT_SIZE, R.ESTIMATE}),
    R.MEDIAN: frozenset({R.TIME, R.PERCENT}),
    R.PERCENT: frozenset({R.PROPORTION, R.MEAN, R.PROBABILITY}),
    R.PROPORTION: frozenset({R.PERCENT, R.PROBABILITY, R.MEAN}),
    R.COUNT: frozenset({R.PARAMETER, R.INDEX}),
    R.STD_DEV: frozenset(),
    R.RANGE: frozenset({R.QUANTILE}),
    R.VARIANCE: frozenset({R.MEAN_SQUARE}),
    R.POWER: frozenset({R.PROBABILITY}),
}


def compatible(label: Label, key: str, role: Role) -> bool:
    """Whether a number under `key`, of the given role, may be called by the label."""
    if label.id in {"lowest", "highest"}:
        return role is not (R.MAXIMUM if label.id == "lowest" else R.MINIMUM)
    symbol = symbol_of_key(key)
    if label.symbol and symbol and label.symbol != symbol:
        if not any(label.symbol in same and symbol in same for same in _SAME):
            return False
        return bool(label.roles & {role, role_of_key(key)}) or role is Role.VALUE
    if role in label.roles or role is Role.VALUE:
        return True
    if label.symbol and symbol == label.symbol:
        return True
    return any(role in _NEAR.get(wanted, frozenset()) for wanted in label.roles)


# Parts of a key that make its number say how sure, how many or how spread another number is.
_ABOUT_ANOTHER = frozenset(
    [
        "sd",
        "se",
        "std",
        "sem",
        "err",
        "error",
        "stderr",
        "lo",
        "hi",
        "low",
        "high",
        "lower",
        "upper",
        "ci",
        "lwr",
        "upr",
        "lcl",
        "ucl",
        "df",
        "dof",
        "p",
        "pval",
        "pvalue",
        "n",
        "count",
        "var",
        "variance",
        "min",
        "max",
        "rank",
        "diff",
        "change",
        "ratio",
    ]
)
_KEY_PART = re.compile(r"[^\W_]+")
_PHRASES_OF: dict[str, set[str]] = {}
for _phrase, _label in _BY_PHRASE.items():
    _PHRASES_OF.setdefault(_label.id, set()).add(_phrase)
for _symbol, _label in _SYMBOL_LABELS.items():
    _PHRASES_OF.setdefault(_label.id, set()).update({_symbol.casefold(), _label.id})
# What follows `p_` in the name of a p value; any other word may make it the probability of that word.
_P_KINDS = re.compile(
    r"(?:val|adj|unc|corr|holm|bonf|bh|fdr|by|two|one|exact|perm|asym|boot|wald|lr|score|trend|inter|int|lin|quad|over|model|glob|diff|"
    r"group|time|slope|norm|lev|welch|mw|tuk|great|less|left|right|raw|nom|ar|ma|mc|sim|f|t|z|chi|x)\d*[a-z]*(?:_|\Z)"
)


@lru_cache(maxsize=4096)
def may_be_chance(key: str) -> bool:
    """Whether a key such as `p_damage` may hold a probability and no p value."""
    name = key.casefold()
    return name.startswith("p_") and not _P_KINDS.match(name[2:])


# Letters that a key spells out.
_SPELT = {"α": "alpha", "β": "beta", "τ": "tau", "ρ": "rho", "κ": "kappa", "χ²": "chi2", "η²": "eta2"}


@lru_cache(maxsize=4096)
def carried_by(label_id: str, key: str) -> bool:
    """Whether a key says the label itself: "RMSE" for `rmse_mean`, "correlate at" for `corr_int_slope`.

    Not when another part of the key makes it a number about that quantity: `rmse_sd` is no RMSE.
    """
    said = _PHRASES_OF.get(label_id, set())
    words = {_SPELT.get(phrase, phrase) for phrase in said if " " not in phrase}
    parts = [m.group().casefold() for m in _KEY_PART.finditer(key.replace("_", " "))]
    own = {p for p in parts if p in words or (len(p) >= 4 and any(w.startswith(p) for w in words))}
    return bool(own) and not (set(parts) - own) & _ABOUT_ANOTHER
