"""Numbers the user typed: good as the user's own, not as results; and the level of the intervals."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import math
import re
from bisect import bisect_left

from statistikles.results.roles import Role

from .claims import Claim
from .evidence import Evidence, Leaf
from .lexicon import compatible
from .matching import Matcher, Outcome
from .report import Verdict
from .tokens import Kind, Token, clean_text, tokenise

__all__ = ["UserNumbers"]

R = Role


_SAYS_YOURS = re.compile(
    r"(?<![^\W_])(?:you|your|yours|guess\w*|target\w*|assum\w*|votre|vous|Ihr\w*|Sie|asked|supposed|hoped|claimed|threshold)(?![^\W_])",
    re.IGNORECASE,
)
_AFFIRMS = re.compile(
    r"(?<![^\W_])(?:(?:is|are|was|were|you['’]re|supervisor is|guess is|guess was) (?:quite |exactly |absolutely |spot )?(?:right|correct|on)|correct[:,]|right[:,]|confirm\w*|spot on|"
    r"(?:criteria|criterion|targets?|goals?|requirements?) (?:is|are|was|were) (?:all |both )?met|cleared the bar|is what the \w+ (?:gives?|shows?|says?|found|finds?)|as (?:you )?(?:predicted|expected|guessed|said|say|assumed|suspected|thought|hoped|bet|claim\w*|believed)|bestätigt|just as you)(?![^\W_])",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"(?<![^\W_])(?:not|no|isn['’]t|wasn['’]t|don['’]t|doesn['’]t|nor|incorrect|wrong|rather|nicht|pas|non)(?![^\W_])",
    re.IGNORECASE,
)


_CONDITION = re.compile(
    r"(?<![^\W_])(?:for|at|with|of|under|given|from|on|bei|für|pour)[ ](?:an?|the|each|einen?|une?)[ ]$",
    re.IGNORECASE,
)
_THING = re.compile(r"[ -]?[^\W\d_]")
_YES = re.compile(
    r"[\s*_>#-]*(?:yes|indeed|correct|exactly|right|oui|ja|confirmed|absolutely)(?![^\W_])", re.IGNORECASE
)
_STATED = re.compile(
    r"(?<![^\W_])(?:is|was|are|were|equals?|by|saved|averag\w+|beträgt|est|[a-z]{3,}ed|=)[ ](?:(?:about|around|roughly|approximately|nearly|almost|exactly|just|some)[ ])?[-−–$€£]?$"
    r"|^[\s*_>#-]*\w+[,:]?[ ](?:about|around|roughly|approximately|nearly|exactly)[ ]$",
    re.IGNORECASE,
)
_MOST_KEYS = 5_000


class UserNumbers:
    """What the user typed, and whether a figure of the reply is only that."""

    def __init__(self, text: str, matcher: Matcher, user_text: str) -> None:
        self.text, self.matcher = text, matcher
        self.evidence: Evidence = matcher.evidence
        self.computed = len(matcher.evidence) > 0
        self.user_text = cleaned = clean_text(user_text)
        self.user_tokens: list[Token] = [
            t for t in tokenise(cleaned) if not t.identifier and t.kind != Kind.SCRIPT
        ]
        self.user_values = sorted(t.value for t in self.user_tokens)

    def evidence_has(self, claim: Claim) -> list[Leaf]:
        """Computed numbers that carry the claim's label (a few of them)."""
        label = claim.label
        if label is None:
            return []
        found = []
        for indices in self.evidence.leaf_names.values():
            leaf = self.evidence.leaf(indices[0])
            if (leaf.role in label.roles and leaf.role is not R.VALUE) and compatible(
                label, leaf.name, leaf.role
            ):
                found.append(leaf)
                if len(found) >= 8:
                    break
        return found

    # -- inequalities --------------------------------------------------------------------------------------------

    def user_match(self, token: Token) -> bool:
        """Whether the user typed this number."""
        e = 1e-9 * max(1.0, abs(token.value))
        for value in (token.value, token.value / 100 if token.percent else token.value * 100):
            at = bisect_left(self.user_values, value - e)
            if at < len(self.user_values) and self.user_values[at] <= value + e:
                if value == token.value:
                    return True
                return any(abs(t.value - value) <= e and t.percent != token.percent for t in self.user_tokens)
        return False

    def _user(self, claim: Claim) -> Outcome | None:
        token = claim.token
        if not self.user_values or not self.user_match(token):
            return None
        left = self.text[claim.sentence[0] : token.start]
        near = left[-40:]
        contradicted = bool(claim.label is not None and claim.strength and self.evidence_has(claim))
        own = (
            _SAYS_YOURS.search(self.text[max(claim.sentence[0], token.start - 32) : token.start]) is not None
        )
        if (
            contradicted
            and not own
            and not self.names_it(token)
            and not re.search(
                r"(?<![^\W_])(?:for|at|with|if|assuming|given|under|von|bei|pour|si|avec|to detect|detect|around|of)[ ](?:an?[ ]|the[ ])?[^\W\d]{1,14}[ ]?[=<>≤]?[ ]?$",
                near,
            )
            and not claim.comparator
        ):
            return Outcome(Verdict.MISLABELLED, "the user's number, reported as if it had been computed")
        if self.affirmed(claim) and not self._input(claim):
            return Outcome(
                Verdict.MISLABELLED, "the user's number, reported as if the computation confirmed it"
            )
        exact = self.matcher.labelling.exact_key(claim)
        stated = "=" in near[-3:] or (
            token.value > 1 and re.search(r"(?<![^\W_])(?:is|was)[ ]$", near) is not None
        )
        if exact and not own and not claim.comparator and stated:
            return Outcome(
                Verdict.MISLABELLED, "the user's number, reported as if it had been computed", leaf=exact[0]
            )
        if self.computed and not own and self._counts_other(claim):
            return Outcome(Verdict.MISLABELLED, "the user's number, reported as if it had been counted")
        if self.computed and not own and self.matcher.labelling.key_labels(claim):
            return Outcome(Verdict.MISLABELLED, "the user's number, reported as if it had been computed")
        return Outcome(Verdict.USER, "typed by the user", "user")

    def _counts_other(self, claim: Claim) -> bool:
        """ "300 alerts" when the user said 300 and no computed number of alerts is 300."""
        token = claim.token
        m = re.match(
            r"[ ]([a-z]{4,})(?![^\W_])[ ](?:come|came|are|were|have|had|was|occur\w*|result\w*)",
            self.text[token.end : token.end + 40],
        )
        if m is None or not token.integer or token.percent:
            return False
        found = self.evidence.leaf_names.get(m[1]) or self.evidence.leaf_names.get(f"n_{m[1]}") or []
        return bool(found) and all(self.evidence.values[i] != token.value for i in found)

    def names_it(self, token: Token) -> bool:
        """Whether a key of the results holds the number: n_for_90pct."""
        if not token.integer or len(self.evidence.leaf_names) > _MOST_KEYS:
            return False
        found = re.compile(rf"(?<!\d){token.value:.0f}(?:pct|percent|p|_|$)")
        return any(found.search(key) for key in self.evidence.leaf_names)

    def affirmed(self, claim: Claim) -> bool:
        """Whether the sentence says the user's number was right."""
        around = self.text[claim.sentence[0] : min(claim.sentence[1], claim.token.end + 45)]
        if _DENIES.search(around):
            return False
        before = self.text[claim.sentence[0] : claim.token.start]
        if _CONDITION.search(before) and _THING.match(self.text, claim.token.end):
            return False  # "for a 3,000 lb car"
        if _AFFIRMS.search(around):
            return True
        # "Yes, the exponent is 2", "Yes: they saved 20 kWh"
        return (
            claim.token.kind == Kind.FIGURE
            and not claim.comparator
            and (_YES.match(before) is not None or self._after_yes(claim))
            and _SAYS_YOURS.search(before) is None
            and _STATED.search(before) is not None
            and claim.token.value != 0
        )

    def _after_yes(self, claim: Claim) -> bool:
        """ "Right on both counts. The average is 3": a short sentence of consent stands before."""
        lead = self.text[: claim.sentence[0]]
        return len(lead) < 40 and _YES.match(lead) is not None

    def _input(self, claim: Claim) -> bool:
        return claim.label is not None and claim.label.id in {"alpha", "d", "effect", "power"}

    def _level(self, claim: Claim) -> Outcome:
        levels = [
            self.evidence.leaf(i)
            for key in ("conf_level", "confidence_level", "level", "cred_level", "ci_level")
            for i in self.evidence.leaf_names.get(key, ())
        ]
        # "level" may as well number the rows of a table
        levels = [x for x in levels if 0.5 <= x.value < 1 or 50 <= x.value < 100]
        share = claim.token.value / 100
        if levels and not any(
            math.isclose(x.value, share, abs_tol=1e-9)
            or math.isclose(x.value, claim.token.value, abs_tol=1e-7)
            for x in levels
        ):
            if self.user_match(claim.token):
                return Outcome(Verdict.USER, "typed by the user", "user")
            return Outcome(
                Verdict.MISLABELLED,
                f"the intervals were computed at {levels[0].address} = {levels[0].value:g}",
            )
        if levels:
            return Outcome(Verdict.COMPUTED, "the level of the intervals", levels[0].address)
        return Outcome(Verdict.CONVENTION, "a confidence level")
