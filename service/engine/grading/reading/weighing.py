"""Several ways to read a text: which of them a locale has, and how each comes about."""

from service.engine.grading.reading.candidate import Candidate
from service.engine.grading.reading.locales import NEUTRAL_GROUPS, Convention
from service.engine.grading.reading.values import Alternative, Number, Problem

_NAMES = {
    ",": "comma",
    ".": "point",
    " ": "space",
    "'": "apostrophe",
    "_": "underscore",
    "/": "slash",
    "\u00b7": "raised point",
    "\u066b": "Arabic decimal mark",
    "\u066c": "Arabic thousands mark",
}
_ROLES = {
    "group": "between thousands",
    "odd": "between thousands",
    "times": "for times",
    **dict.fromkeys(("decimal", "base", "also", "raised"), "before the decimals"),
}


def agree(found: list[Candidate]) -> bool:
    """True if there is one value only."""
    value = found[0].value
    return all(candidate.value == value for candidate in found[1:])


def fits(candidate: Candidate, rules: Convention) -> bool:
    """True if every mark has a role that it can have in the locale. The unusual never fits: code
    prints 6.306e-7 in every locale, so a locale may leave it ambiguous."""
    if candidate.unusual:
        return False
    if rules.decimal is None:
        return True
    return all(_has(rules, role, mark) for role, mark in candidate.marks)


def _has(rules: Convention, role: str, mark: str) -> bool:
    if role == "decimal":
        return mark == rules.decimal
    if role == "group":
        return mark in rules.groups or mark in NEUTRAL_GROUPS
    # Schools differ in the others within a locale; but a comma and a raised point are two things.
    return role != "raised" or rules.decimal != ","


def others(found: list[Candidate], value: Number) -> tuple[Alternative, ...]:
    """The readings beside the one that was taken."""
    if len(found) == 1:
        return ()
    return tuple(other for other in alternatives(found) if other.value != value)


def alternatives(found: list[Candidate]) -> tuple[Alternative, ...]:
    """Each value once, with how it comes about."""
    reasons: dict[Number, str] = {}
    for candidate in found:
        if not isinstance(candidate.value, Problem):
            reasons.setdefault(candidate.value, because(candidate))
    return tuple(Alternative(value, reason) for value, reason in reasons.items())


def because(candidate: Candidate) -> str:
    """How a reading comes about, in words."""
    reasons = [f"{_NAMES[mark]} {_ROLES[role]}" for role, mark in sorted(candidate.marks)]
    return "; ".join([*reasons, *filter(None, [candidate.because])]) or "as written"


def is_settled_by_a_locale(found: list[Candidate]) -> bool:
    """Whether the readings differ in nothing but what a locale tells."""
    roles = {role for candidate in found for role, _ in candidate.marks}
    return bool(roles) and roles <= {"group", "decimal"}
