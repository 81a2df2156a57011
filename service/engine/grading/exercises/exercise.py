"""An exercise as data: what is given, and the stages that a student may fill in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from service.engine.blocks import whole
from service.engine.grading.marking.rules import Absolute, Cells
from service.engine.grading.marking.shapes import MatrixKey
from service.engine.grading.questions.question import Chapter
from service.engine.grading.reading.values import exact
from service.engine.trace import Array, Step, Trace

Values = Mapping[str, Array]
"""What is given, and each stage up to here, by name."""

Compute = Callable[[Values], Array]
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Stage:
    """A step of the engine's own trace, and how to make it again from other numbers.

    compute: the step from what it reads. slips: known ways to go wrong here, (code, compute); a
    code may come with several. An array with NaN, or of another shape, means: not on these numbers.
    """

    step: Step
    compute: Compute
    rule: Cells
    slips: tuple[tuple[str, Compute], ...] = ()

    @cached_property
    def name(self) -> str:
        return self.step.rule.name

    @cached_property
    def sources(self) -> frozenset[str]:
        """The names of what it reads."""
        return frozenset(read.name for read in self.step.rule.reads)

    @cached_property
    def value(self) -> Array:
        """What is right."""
        value: Array = whole(self.step.value)
        return value

    @cached_property
    def floats(self) -> list[list[float]]:
        """value as rows of numbers."""
        rows: list[list[float]] = self.value.tolist()
        return rows

    @cached_property
    def blocks(self) -> bool:
        """Has it cells of −∞?"""
        return bool(np.isneginf(self.value).any())

    @cached_property
    def shown(self) -> BoolArray:
        """Where it is not blocked."""
        shown: BoolArray = ~np.isneginf(self.value)
        return shown & (self.value != 0) if self.rule.blocked_are_zero else shown

    @cached_property
    def slack(self) -> float:
        """How far from a number one may be in a cell."""
        return float(self.rule.each.tolerance) if isinstance(self.rule.each, Absolute) else 0.0

    @cached_property
    def varied(self) -> list[tuple[int, list[int]]]:
        """Rows that are not constant, of three cells or more, and their columns.

        Only cells that are neither blocked nor, for weights, of blocked scores are looked at.
        """
        found = []
        for i, row in enumerate(self.floats):
            columns = [
                j
                for j, cell in enumerate(row)
                if cell != -inf and not (cell == 0.0 and self.rule.blocked_are_zero)
            ]
            if len(row) > 2 and len({row[j] for j in columns}) > 1:
                found.append((i, columns))
        return found

    @cached_property
    def key(self) -> MatrixKey:
        """value as exact numbers."""
        return exact_rows(self.value)


@dataclass(frozen=True, eq=False)
class Exercise:
    """One variant. givens: matrices by name, what the stages start from.

    prompt, hints, explanation, difficulty: as of a Question.
    solution: the engine's trace, in which each stage is a step.
    """

    id: str
    title: str
    chapter: Chapter
    prompt: str
    givens: tuple[Step, ...]
    stages: tuple[Stage, ...]
    solution: Trace
    explanation: str
    difficulty: int
    hints: tuple[str, ...] = ()

    @cached_property
    def given_values(self) -> dict[str, Array]:
        """The givens as arrays, by name."""
        return {step.rule.name: whole(step.value) for step in self.givens}

    @cached_property
    def true_values(self) -> dict[str, Array]:
        """What is given, and each stage as it is right, by name."""
        return self.given_values | {stage.name: stage.value for stage in self.stages}

    @cached_property
    def by_name(self) -> dict[str, Stage]:
        """The stages, by name."""
        return {stage.name: stage for stage in self.stages}


def exact_rows(value: Array) -> MatrixKey:
    """Each cell as the number that is printed for it."""
    return tuple(tuple(exact(cell) for cell in row) for row in value.tolist())
