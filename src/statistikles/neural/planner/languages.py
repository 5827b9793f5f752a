"""Questions in German and French, put into the planner's English: grammar and the words of statistics, nothing else.

Names of columns and values stay as they are. The tables are data: a pattern, and what it says in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from statistikles.neural.planner.thesaurus import word_set

__all__ = ["LANGUAGES", "in_english"]

_ENGLISH = word_set(
    "the is are of and what how does do which between by for with there was were that an it have has average mean many"
)
_MARKS = {
    "German": word_set(
        """gibt es einen eine einem einer der den dem des das und zwischen ist sind wie von nach für mit sich zusammenhang
        unterschied unterschiede unterscheiden unterscheidet mittelwert durchschnitt durchschnittliche viele welche welcher
        welches hoch korrelation korreliert korrelieren normalverteilt häufig häufigkeit hängt hängen beschreibe berechne
        vergleiche bei zeilen"""
    ),
    "French": word_set(
        """quelle quel quelles quels est la le les des du et entre une un il elle selon combien moyenne différence
        corrélation lien dans pour sont diffère diffèrent médiane existe dépend corrélés corrélées corrélé liés liées
        décrire calculer comparer chez ce que"""
    ),
}
# Several words first; a group in the pattern is kept where \\1 stands.
_GERMAN = r"""
gibt es eine[nr]? (signifikante[nr]? )?(zusammenhang|beziehung) => is there a relationship
gibt es (einen )?(signifikante[nr]? )?unterschiede? => is there a difference
besteht (ein|eine[nr]?) (signifikante[rn]? )?(zusammenhang|beziehung|korrelation) => is there a relationship
hängt (.{2,80}?) mit (.{2,80}?) zusammen => is \1 associated with \2
hängen (.{2,80}?) zusammen => are \1 associated
hängt (.{2,80}?) von (.{2,80}?) ab => is \1 associated with \2
unterscheide[tn]? sich (.{2,80}?) (zwischen|nach|je nach|in) => does \1 differ between
unterscheide[tn]? sich => differ
ist (.{2,60}?) normalverteilt => is \1 normally distributed
sind (.{2,60}?) normalverteilt => are \1 normally distributed
folg(t|en) (.{2,60}?) einer normalverteilung => is \2 normally distributed
korrelier(t|en) (.{2,80}?) (mit|und) => is there a correlation between \2 and
(wie hoch|wie groß|was) (ist|sind|war|waren) => what is
wie lautet => what is
wie häufig (ist|sind|kommt|kommen) => how frequent is
wie viele => how many
welche[rsn]? => which
durchschnittliche[nrsm]? => average
(im )?durchschnitt => average
(arithmetische[ns]? )?mittelwerte? => mean
mediane? => median
standardabweichung(en)? => standard deviation
varianz(en)? => variance
spannweite => range
quartile? => quartiles
schiefe => skewness
summe => sum
häufigkeit(en)? => frequencies
anteil => proportion
ausreißer => outliers
fehlende werte? => missing values
unterschiede? => difference
zusammenhang => relationship
beziehung => relationship
korrelation(en)? => correlation
unabhängig voneinander => independent of each other
unabhängig => independent
abhängig => dependent
(höher|größer|älter|mehr|länger|schwerer) als => more than
(niedriger|kleiner|jünger|weniger|kürzer|leichter) als => less than
mindestens => at least
höchstens => at most
vergleiche => compare
berechne => calculate
beschreibe => describe
zwischen => between
je nach => by
nach => by
pro => per
je => per
für => for
bei => among
unter => among
frauen => women
männern? => men
und => and
oder => or
mit => with
von => of
vom => of the
ist => is
sind => are
haben => have
hat => has
wenn (.{2,60}?) konstant gehalten wird => when \1 is held constant
gruppen => groups
zeilen => rows
(der|die|das|den|dem|des) => the
(ein|eine|einen|einem|einer|eines) => a
"""
_FRENCH = r"""
y a-t-il une? (lien|relation|association|corrélation)( significati(f|ve))? => is there a relationship
existe-t-il une? (lien|relation|association|corrélation)( significati(f|ve))? => is there a relationship
(y a-t-il|existe-t-il) (une |des )?différences?( significatives?)? => is there a difference
quel est le lien => what is the relationship
est-ce que (.{2,80}?) (diffère|varie)(nt)? (selon|entre|d'un) => does \1 differ between
(.{2,80}?) (diffère|varie|diffèrent|varient)(-t-elle|-t-il|-elles|-ils)? (selon|entre) => does \1 differ between
est-ce que (.{2,80}?) dépend(ent)? (de la |de l['’]|du |des |de ) => is \1 associated with
(.{2,80}?) dépend(-elle|-il|ent)? (de la |de l['’]|du |des |de ) => is \1 associated with
(.{2,60}?) (suit|suivent)(-elle|-il|-elles|-ils)? une (loi|distribution) normale => is \1 normally distributed
(.{2,60}?) (est|sont)(-elle|-il|-elles|-ils)? distribuée?s? normalement => is \1 normally distributed
(.{2,80}?) sont-(ils|elles) corrélée?s => are \1 correlated
(.{2,80}?) sont-(ils|elles) liée?s => are \1 associated
corrélée?s? => correlated
liée?s? => associated
(quelle|quel|quelles|quels) (est|sont|était) => what is
combien (de |d['’]|y a-t-il de ) => how many
(quelle|quel|quelles|quels) => which
moyennes? => mean
moyen(ne)?s? => average
médianes? => median
écarts?[- ]types? => standard deviation
variances? => variance
étendue => range
quartiles? => quartiles
asymétrie => skewness
somme => sum
fréquences? => frequencies
proportion => proportion
valeurs aberrantes => outliers
valeurs manquantes => missing values
différences? => difference
(lien|relation|association) => relationship
corrélations? => correlation
indépendante?s? => independent
plus (élevée?s?|grande?s?|âgée?s?) que => more than
moins (élevée?s?|grande?s?|âgée?s?) que => less than
plus de (?=\d) => more than
moins de (?=\d) => less than
au moins => at least
au plus => at most
compare[rz]? => compare
calcule[rz]? => calculate
décri(s|re|vez) => describe
est-ce que => does
entre => between
selon => by
par => by
pour chaque => for each
pour => for
chez => among
parmi => among
femmes => women
hommes => men
et => and
ou => or
avec => with
dans => in
est => is
sont => are
groupes? => groups
lignes => rows
(de la |de l['’]|de les ) => of the
(du|des|de) => of
(d|l)['’] => the
(le|la|les) => the
(une|un) => a
"""
LANGUAGES = {"German": _GERMAN, "French": _FRENCH}


@cache
def _rows(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The rows of a language, compiled; they are tried in order."""
    out = []
    for line in LANGUAGES[language].strip().splitlines():
        pattern, english = line.split(" => ")
        lead = "" if pattern.startswith("(.{2") else r"(?<![\w-])"
        tail = "" if pattern.endswith((" )", "['’]", "\\d)")) else r"(?![\w-])"
        out.append((re.compile(f"{lead}{pattern}{tail}", re.IGNORECASE), english))
    return tuple(out)


def language_of(text: str) -> str:
    """The language whose small words a text holds, empty for English."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    english = sum(w in _ENGLISH for w in words)
    scores = {name: sum(w in marks for w in words) for name, marks in _MARKS.items()}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] >= 2 and scores[best] > english else ""


def in_english(text: str, names: Iterable[str]) -> str:
    """A German or French question in English words; the names of columns are left alone. English comes back as it is."""
    language = language_of(text)
    if not language:
        return text
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match.group())
        return f"\ue000{len(kept) - 1}\ue001"

    listed = "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True) if len(n) > 1)
    out = re.sub(r"[\"'“„«][^\"'”“»]{1,60}[\"'”“»]", keep, text)
    out = (
        re.sub(rf"(?<![\w\ue000])(?:{listed})(?![\w\ue001])", keep, out, flags=re.IGNORECASE)
        if listed
        else out
    )
    for pattern, english in _rows(language):
        out = pattern.sub(f"{english} ", out)
    out = re.sub(r"\ue000(\d+)\ue001", lambda m: kept[int(m[1])], out)
    return " ".join(re.sub(r"\s+([?.,;])", r"\1", out).split())
