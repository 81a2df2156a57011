"""What the prompts of the bank say, read as numbers; nothing here knows a key."""

import re
from fractions import Fraction

import pytest

from service.engine.grading.bank.whole import BANK
from service.engine.grading.questions.wording import plain

SEEDS = [None, *range(1, 200)]
NUMBER = re.compile(r"(?<![\w.^-])−?\d+(?:,\d{3})*(?:\.\d+)?")
TABLE = re.compile(r"\(([^()a-z∞]*)\)")


def in_every_variant(check):
    """One test for all seeds: a test for each would take longer to collect than to run."""

    def test():
        for seed in SEEDS:
            check(seed)

    test.__name__ = check.__name__
    return test


def asked(id, seed):
    return plain(BANK[id](seed).prompt)


def numbers(text):
    found = NUMBER.findall(text)
    return [Fraction(number.replace("−", "-").replace(",", "")) for number in found]


def integers(id, seed):
    return [int(number) for number in numbers(asked(id, seed))]


def rows(id, seed):
    """What stands in brackets, one list each; in a table the rows follow each other."""
    return [numbers(found.replace(", ", " ; ")) for found in TABLE.findall(asked(id, seed))]


def key(id, seed):
    return BANK[id](seed).task.key


def cells(id, seed):
    ((*row,),) = key(id, seed)
    return row


def close(found, due, tolerance=1e-9):
    return [float(one) for one in found] == pytest.approx(
        [float(one) for one in due], rel=tolerance, abs=tolerance
    )


def right_texts(id, seed):
    task = BANK[id](seed).task
    return {plain(option.text) for option in task.choices if option.id in task.key}


def plus(*vectors):
    return [sum(together) for together in zip(*vectors, strict=True)]


def scaled(factor, vector):
    return [factor * number for number in vector]
