"""One way to read a text."""

from dataclasses import dataclass, replace

from service.engine.grading.reading.numerals import Marks
from service.engine.grading.reading.values import Digits, Number, Problem


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to read a text: its value, or the problem that stands in the way of one.

    exact_form is the writing of a root, whose value is an approximation; "" elsewhere. latex shows
    a root or a calculation; "" where the value's own does. unusual: a power of ten times a number
    with points between thousands (6.306e-7 as 6306e-7).

    Each mark has a role: "decimal" and "group", which a locale settles; "base", "times", "also",
    "odd" and "raised", in which schools differ (see weighing.py, contested.py).
    """

    value: Number | Problem
    marks: Marks = frozenset()
    digits: Digits | None = None
    exact_form: str = ""
    because: str = ""
    unusual: bool = False
    latex: str = ""


def negative(candidate: Candidate) -> Candidate:
    """The same with a minus before it."""
    if isinstance(candidate.value, Problem):
        return candidate
    form, typeset = candidate.exact_form, candidate.latex
    return replace(
        candidate,
        value=-candidate.value,
        exact_form=form and "-" + form,
        latex=typeset and "-" + typeset,
    )
