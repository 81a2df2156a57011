"""A verdict with its score and what to tell the student."""

from fractions import Fraction
from typing import Literal, NamedTuple

Verdict = Literal["correct", "partial", "incorrect", "unreadable"]

ALL, HALF, NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)


class Note(NamedTuple):
    """Feedback: a stable code for machines and a sentence for people."""

    code: str
    message: str


class Mark(NamedTuple):
    """A verdict, the share of the points from 0 to 1, and what to tell the student."""

    verdict: Verdict
    score: Fraction
    feedback: tuple[Note, ...] = ()


def unreadable(code: str, message: str) -> Mark:
    return Mark("unreadable", NOTHING, (Note(code, message),))


def by_score(score: Fraction, *feedback: Note) -> Mark:
    """The verdict that goes with a score: 1 is correct, 0 incorrect, all between partial."""
    verdict: Verdict = "correct" if score == 1 else "partial" if score else "incorrect"
    return Mark(verdict, score, feedback)
