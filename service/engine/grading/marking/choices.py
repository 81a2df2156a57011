"""Marking a choice."""

from collections.abc import Collection, Sequence
from fractions import Fraction

from service.engine.grading.marking.mark import Mark, Note, by_score, unreadable
from service.engine.grading.marking.rules import Choice


def mark_choice(
    rule: Choice, chosen: Sequence[str], key: frozenset[str], offered: Collection[str]
) -> Mark:
    """Is the chosen set the key? What is not offered, or too much, is unreadable, not wrong."""
    picked = set(chosen)
    unknown = sorted(picked.difference(offered))
    if unknown:
        names = ", ".join(sorted(offered))
        return unreadable(
            "unknown_choice", f"There is no choice {unknown[0]!r}; there are {names}."
        )
    if not picked:
        return unreadable("blank", "Nothing was chosen.")
    if len(picked) > 1 and not rule.several:
        return unreadable("several_choices", "Choose one only.")
    if picked == key:
        return by_score(Fraction(1), Note("correct", "Right."))
    right, wrong = len(picked & key), len(picked - key)
    score = Fraction(max(0, right - wrong), len(key)) if rule.partial else Fraction(0)
    return by_score(
        score,
        Note("partial", "Partly right.") if score else Note("incorrect", "This is not right."),
    )
