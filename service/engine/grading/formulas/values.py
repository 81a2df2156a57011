"""The values of a formula at many points at once, and how far rounding may have moved them.

Running error analysis: next to each value stands a bound on its error, from the errors of what it
is made from and half a unit in its last place (u = 2^-53, doubled for functions), so that 1 - 1 +
1e-17 is known to be unsure, and no tolerance has to guess. Where a value is not defined, or not
finite, it is NaN.
"""

from typing import NamedTuple, assert_never

import numpy as np

from service.engine.grading.formulas.names import CONSTANTS
from service.engine.grading.formulas.tree import Call, Constant, Name, Negative, Node, Operation
from service.engine.trace import Array

_U = 2.0**-53
# numpy's vectors of sines and cosines may be off by four units in the last place.
_SINE = 8 * _U


class Values(NamedTuple):
    """value, and |value − true value| <= error."""

    value: Array
    error: Array


def values(node: Node, points: dict[str, Array]) -> Values:
    """The values of a formula where its variables have these values."""
    with np.errstate(all="ignore"):
        return _values(node, points)


def _values(node: Node, points: dict[str, Array]) -> Values:
    match node:
        case Constant(number):
            return _everywhere(float(number), points)
        case Name(name):
            if name in points:
                return Values(points[name], np.zeros_like(points[name]))
            return _everywhere(CONSTANTS[name], points)
        case Negative(of):
            value, error = _values(of, points)
            return Values(-value, error)
        case Call(function, of):
            return _defined(*_called(function, _values(of, points)))
        case Operation(operator, left, right):
            one, other = _values(left, points), _values(right, points)
            return _defined(*_combined(operator, one, other))
        case _:
            assert_never(node)


def _everywhere(number: float, points: dict[str, Array]) -> Values:
    value = np.full_like(next(iter(points.values())), number)
    return Values(value, _U * abs(value))


def _defined(value: Array, error: Array) -> Values:
    is_defined = np.isfinite(value + error)
    if is_defined.all():
        return Values(value, error)
    return Values(np.where(is_defined, value, np.nan), np.where(is_defined, error, np.nan))


def _combined(operator: str, one: Values, other: Values) -> Values:
    (a, a_error), (b, b_error) = one, other
    match operator:
        case "+" | "-":
            value = a + b if operator == "+" else a - b
            return Values(value, a_error + b_error + _U * abs(value))
        case "*":
            value = a * b
            error = abs(a) * b_error + abs(b) * a_error + a_error * b_error
            return Values(value, error + _U * abs(value))
        case "/":
            value = a / b
            room = abs(b) - b_error  # of which nothing is left where b may be 0
            error = (a_error + abs(value) * b_error) / room + _U * abs(value)
            return Values(value, np.where(room > 0, error, np.nan))
        case _:
            return _power(one, other)


def _power(one: Values, other: Values) -> Values:
    """a^b; for a negative a only where b is a whole number, and 0^0 is not defined.

    d(a^b) = a^b (b da/a + ln|a| db), which is taken twice to cover the rest of the series.
    """
    (a, a_error), (b, b_error) = one, other
    value = np.power(a, b)
    size = np.maximum(abs(a), np.finfo(float).tiny)
    is_known = (a_error < 0.1 * abs(a)) | ((a == 0) & (a_error == 0) & (b > 0))
    is_whole = (a > 0) | (b_error <= _U * abs(b)) | (a == 0)
    change = abs(b) * a_error / size + abs(np.log(size)) * b_error
    error = abs(value) * (2 * change + 2 * _U)
    error = np.where(a == 0, 0.0, error)
    return Values(value, np.where(is_known & is_whole & (change < 0.1), error, np.nan))


def _called(function: str, argument: Values) -> Values:
    a, error = argument
    match function:
        case "sqrt":
            value = np.sqrt(a)
            return Values(value, np.where(a > 0, error / value, np.sqrt(error)) + _U * value)
        case "exp":
            value = np.exp(a)
            return Values(value, value * (np.expm1(error) + 2 * _U))
        case "ln":
            value = np.log(a)
            room = a - error
            return Values(value, np.where(room > 0, error / room, np.nan) + 2 * _U * abs(value))
        case "sin":
            value = np.sin(a)
            return Values(value, error + _SINE * abs(value))
        case _:
            value = np.cos(a)
            return Values(value, error + _SINE * abs(value))
