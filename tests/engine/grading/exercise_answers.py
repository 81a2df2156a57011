"""Answers to exercises as students might type them."""

import numpy as np

from service.engine.grading.exercises.bank import EXERCISES, find_exercise
from service.engine.grading.exercises.marking import mark_exercise
from service.engine.grading.exercises.slips import broken

SEEDS = [0, *range(1, 200)]
FEW = SEEDS[:12]


def typed(value, write=repr):
    """Rows of text."""
    return [
        ["−∞" if cell == float("-inf") else write(cell) for cell in row]
        for row in np.asarray(value, float).tolist()
    ]


def two_decimals(cell):
    return f"{cell:.2f}"


def key(exercise, write=repr):
    return {stage.name: typed(stage.value, write) for stage in exercise.stages}


def worked_on(exercise, **instead):
    """Every step, rounded to two decimals; `instead` says how some steps are made."""
    values, answer = dict(exercise.given_values), {}
    for stage in exercise.stages:
        value = instead.get(stage.name, stage.compute)(values)
        values[stage.name] = np.round(value, 2)
        answer[stage.name] = typed(values[stage.name], two_decimals)
    return answer


def marks(exercise, steps, locale="en", **more):
    """The mark of the whole, and each step by name."""
    marked = mark_exercise(exercise, steps, locale, **more)
    return marked.mark, {step.stage.name: step for step in marked.steps}


def codes(step):
    return [note.code for note in step.mark.feedback]


def stages():
    """(exercise, stage) by name."""
    return [(id, stage.name) for id in EXERCISES for stage in find_exercise(id).stages]


def slips(id, name, seed):
    """(code, what it makes of the right values) of one stage."""
    exercise = find_exercise(id, seed)
    right = exercise.given_values | {stage.name: stage.value for stage in exercise.stages}
    return list(broken(exercise.by_name[name], right))
