"""What counts as right, as data. A rule says how to compare; the key says with what.

Every rule for one number has `arithmetic`: whether 2*3 is read too, or refused as unfinished work.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import get_args

# What values of formulas that are the same may differ by.
ONE_BILLIONTH = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class Integer:
    """answer = key, as whole numbers; 4.0 and 8/2 are the whole number 4."""

    arithmetic: bool = False


@dataclass(frozen=True, slots=True)
class Absolute:
    """|answer − key| <= tolerance, on exact fractions of both as printed."""

    tolerance: Fraction
    arithmetic: bool = False


@dataclass(frozen=True, slots=True)
class Relative:
    """|answer − key| <= tolerance · |key|, on exact fractions of both as printed."""

    tolerance: Fraction
    arithmetic: bool = False


@dataclass(frozen=True, slots=True)
class SignificantFigures:
    """answer and key agree when both are rounded to the digit that is the key's last of `figures`.

    A half may be rounded either way. If written_so, the answer also has to be typed with that many
    significant digits; right in value but not in this is half right.
    """

    figures: int
    written_so: bool = False
    arithmetic: bool = False


@dataclass(frozen=True, slots=True)
class DecimalPlaces:
    """answer and key agree when both are rounded to `places` decimals.

    A half may be rounded either way. If written_so, the answer also has to be typed with that many
    decimals; right in value but not in this is half right.
    """

    places: int
    written_so: bool = False
    arithmetic: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """lowest <= answer <= highest, or < where that bound is not included; None is open.

    The key is one number that is right, to be shown; it is not compared with.
    """

    lowest: Fraction | None = None
    highest: Fraction | None = None
    lowest_included: bool = True
    highest_included: bool = True
    arithmetic: bool = False


@dataclass(frozen=True, slots=True)
class Derived:
    """The answer is one that rounding each intermediate result to `decimals` or more can lead to.

    The key is a Reached, which holds the bounds; they are carried through its trace.
    """

    decimals: int
    arithmetic: bool = False


ScalarRule = Integer | Absolute | Relative | SignificantFigures | DecimalPlaces | Range | Derived
SCALAR_RULES = get_args(ScalarRule)
"""The same as a tuple, of which isinstance makes less work."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The shape is the key's, and each cell is right by `each`. A vector is one row.

    The score is the share of right cells; in a row in which some are blocked, −∞ or exactly 0, it
    is the share of those times that of the others.
    Properties give back a quarter of what a row lost, if it can be read, a number other than 0 is
    right in it, and it has all that are asked for:
    rows_sum_to_one: its cells are weights, none negative, whose sum is 1 but for their rounding;
    blocked_are_zero: its cells whose key is 0 are exactly 0 (no other value is right there).
    """

    each: ScalarRule
    rows_sum_to_one: bool = False
    blocked_are_zero: bool = False


@dataclass(frozen=True, slots=True)
class Tensor:
    """One matrix for each head, in order, each by `cells`; the score is the mean of the heads'."""

    cells: Cells


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen set is the key.

    several: more than one may be chosen. partial: then max(0, right − wrong) / |key| is scored.
    """

    several: bool = False
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Ordering:
    """All that is offered, in the key's order.

    partial: of all pairs, max(0, right − wrong) / pairs is scored, so that guessing brings little
    (a fifth for four things on average); without it only the whole order counts.
    """

    partial: bool = False


@dataclass(frozen=True, slots=True)
class ShortText:
    """The normal form is that of the key or of one of `accepted`.

    It folds compatible characters, spaces and hyphens between words, and case unless case_matters;
    accents and everything else stay.
    """

    accepted: tuple[str, ...] = ()
    case_matters: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """A letter of an expression, and the values that it is tried with."""

    name: str
    lowest: float
    highest: float


@dataclass(frozen=True, slots=True)
class Expression:
    """answer = key wherever both are tried: |answer − key| <= tolerance · |key|, and rounding."""

    variables: tuple[Variable, ...]
    tolerance: Fraction = ONE_BILLIONTH

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(variable.name for variable in self.variables)


OtherRule = Cells | Tensor | Choice | Ordering | ShortText | Expression
Rule = ScalarRule | OtherRule
