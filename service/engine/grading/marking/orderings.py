"""Marking an order."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from service.engine.grading.marking.mark import ALL, NOTHING, Mark, Note, by_score, unreadable
from service.engine.grading.marking.rules import Ordering


def mark_ordering(rule: Ordering, given: Sequence[str], key: Sequence[str]) -> Mark:
    """Are all in the key's order? An order that is not of all of them is unreadable, not wrong.

    With partial credit a pair counts 1 in the right order and −1 in the wrong one.
    """
    problem = _not_an_order(given, key)
    if problem:
        return problem
    if list(given) == list(key):
        return by_score(ALL, Note("correct", "Right."))
    place = {name: i for i, name in enumerate(key)}
    pairs = list(combinations(given, 2))
    right = sum(place[first] < place[second] for first, second in pairs)
    note = Note("incorrect", "This is not the right order.")
    if not rule.partial or 2 * right <= len(pairs):
        return by_score(NOTHING, note)
    message = f"{right} of {len(pairs)} pairs are in the right order."
    return by_score(Fraction(2 * right - len(pairs), len(pairs)), Note("partial", message))


def _not_an_order(given: Sequence[str], key: Sequence[str]) -> Mark | None:
    if not given:
        return unreadable("blank", "Nothing was entered.")
    unknown = sorted(set(given).difference(key))
    if unknown:
        names = ", ".join(sorted(key))
        return unreadable(
            "unknown_choice", f"There is no choice {unknown[0]!r}; there are {names}."
        )
    seen: set[str] = set()
    for name in given:
        if name in seen:
            return unreadable("repeated_choice", f"{name!r} was put in two places.")
        seen.add(name)
    missing = [name for name in sorted(key) if name not in given]
    if missing:
        return unreadable("incomplete_order", f"{missing[0]!r} has no place in the order yet.")
    return None
