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
FOREIGN_DIGITS = Problem(
    "digits_need_locale",
    "These digits are read only when a locale that uses them, such as ar, fa, hi or th-u-nu-thai, "
    "is declared.",
)
MIXED_DIGITS = Problem("mixed_digits", "This has digits of two scripts; write it in one.")
EXPRESSION = Problem("expression", "This is a calculation; enter the number that it comes to.")
DASH = Problem(
    "expression", "A dash between two numbers may be a range or a minus; enter one number."
)
VALUE_ONLY = Problem(
    "value_only", "Enter only the value, without a name, an equals sign or a sign for “about”."
)
PERCENT_FIRST = Problem("not_understood", "Write the percent sign after the number.")
NOT_UNDERSTOOD = Problem("not_understood", "This could not be read as a number.")

_NAMED = re.compile(
    r"(?:[^\W\d][\w']{0,20}(?:\([^()]{0,20}\))? ?(?::?=|[≈≅])|[=≈≅~\u223c≃]|ca?\.) ?.*"
)
_CALCULATION = re.compile(r"[0-9)] ?[-+*/^] ?[(√0-9-]")


def contested(reasons: list[str]) -> Problem:
    """The readings differ in something that no locale settles."""
    ways = ", or ".join(dict.fromkeys(reasons))
    return Problem(
        "ambiguous", f"This can be read in more than one way: {ways}. Write it in another form."
    )


def unreadable(plain: str) -> Problem:
    """What to say of a text that fits no form and is not a number with a unit."""
    if re.search("[0-9]", plain):
        if _NAMED.fullmatch(plain):
            return VALUE_ONLY
        if plain.startswith("%"):
            return PERCENT_FIRST
    return EXPRESSION if _CALCULATION.search(plain) else NOT_UNDERSTOOD


def unit(words: str) -> Problem:
    """The number has something beside it."""
    return Problem("unit", f"There is “{words}” beside the number; enter the number alone.")
