"""What can be wrong with a rule that a teacher wrote."""

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class Finding(NamedTuple):
    """error: the rule marks wrongly. warning: it probably does. note: good to know."""

    severity: Severity
    code: str
    message: str
