"""An exercise as it is put to a student: what is given, and the steps to fill in; no values of
those."""

from typing import Any

from service.engine.blocks import whole
from service.engine.grading.exercises.exercise import Exercise, Stage
from service.engine.grading.marking.words import in_words
from service.engine.trace import Step


def posed_parts(exercise: Exercise) -> dict[str, Any]:
    """axes: sizes and labels, as in a trace. givens: matrices by name. steps: what to fill in."""
    return {
        "axes": {
            name: {"size": axis.size} if axis.labels is None else axis._asdict()
            for name, axis in exercise.solution.axes.items()
        },
        "givens": [
            _described(step) | {"value": whole(step.value).tolist()} for step in exercise.givens
        ],
        "steps": [_to_fill_in(stage) for stage in exercise.stages],
    }


def _described(step: Step) -> dict[str, Any]:
    rule = step.rule
    return {
        "name": rule.name,
        "title": rule.title,
        "symbol": rule.symbol,
        "axes": list(rule.axes),
        "shape": list(step.value.shape),
    }


def _to_fill_in(stage: Stage) -> dict[str, Any]:
    return _described(stage.step) | {
        "formula": stage.step.rule.formula,
        "reads": [{"name": read.name, "axes": list(read.axes)} for read in stage.step.rule.reads],
        "rule": in_words(stage.rule),
    }
