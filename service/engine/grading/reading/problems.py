"""The reasons why an answer has no reading. Codes are stable; sentences are for people."""

import re

from service.engine.grading.reading.values import Problem

BLANK = Problem("blank", "Nothing was entered.")
TOO_LONG = Problem("too_long", "An answer has at most 200 characters.")
NOT_A_NUMBER = Problem("not_a_number", "This is not a finite number.")
AMBIGUOUS = Problem(
    "ambiguous",
    "This can be read in more than one way; write it without separators, or declare a locale.",
)
LAKH = Problem(
    "ambiguous",
    "Groups of two digits are read only when a locale that uses them, such as en-IN, is declared.",
)
EXPRESSION = Problem("expression", "This is a calculation; enter the number that it comes to.")
NOT_UNDERSTOOD = Problem("not_understood", "This could not be read as a number.")


def unreadable(plain: str) -> Problem:
    """What to say of a text that fits no form."""
    is_calculation = re.search(r"[0-9)] ?[-+*/^] ?[(√0-9-]", plain)
    return EXPRESSION if is_calculation else NOT_UNDERSTOOD
