"""Answers to exercises that nobody worked out: written, copied or drawn, without any arithmetic."""

from itertools import count

import numpy as np
from exercise_answers import typed

from service.engine.grading.exercises.bank import find_exercise
from service.engine.grading.exercises.marking import mark_exercise

BLOCKED = float("-inf")


def running(rows, columns, start, by):
    return start + by * np.arange(rows * columns, dtype=float).reshape(rows, columns)


def one_hot(rows, columns, height=1.0):
    return height * np.eye(columns)[np.arange(rows) ** 2 % columns]


def but_for_one(value, other):
    value[-1, -1] = other
    return value


# How a step is filled: from its shape and a generator that the seed decides.
FILLS = {
    "zeros": lambda n, m, _: np.zeros((n, m)),
    "zeros but for one": lambda n, m, _: but_for_one(np.zeros((n, m)), 50.0),
    "ones": lambda n, m, _: np.ones((n, m)),
    "ones but for one": lambda n, m, _: but_for_one(np.ones((n, m)), 3.0),
    "tiny": lambda n, m, _: running(n, m, 1e-6, 1e-6),
    "tiny, of both signs": lambda n, m, _: running(n, m, -2e-6, 1e-6),
    "tiny but for one": lambda n, m, _: but_for_one(running(n, m, 1e-6, 1e-6), 50.0),
    "tiny in the first rows": lambda n, m, _: running(n, m, 0, 1) ** 4 * 1e-4,
    "nearly tiny": lambda n, m, _: running(n, m, 0.006, 0.0007),
    "small": lambda n, m, _: running(n, m, 0.03, 0.004),
    "nearly one": lambda n, m, _: running(n, m, 1.0, 1e-4),
    "counted": lambda n, m, _: running(n, m, 1, 1),
    "hundreds": lambda n, m, _: running(n, m, 100, 100),
    "huge": lambda n, m, _: running(n, m, 1e7, 1e6),
    "huge and negative": lambda n, m, _: -running(n, m, 1e7, 1e6),
    "one-hot": lambda n, m, _: one_hot(n, m),
    "one-hot times ten": lambda n, m, _: one_hot(n, m, 10.0),
    "constant rows": lambda n, m, _: running(n, 1, 1, 1) * np.ones(m),
    "constant columns": lambda n, m, _: running(1, m, 1, 1) * np.ones((n, 1)),
    "small whole numbers": lambda n, m, random: random.integers(-1, 3, (n, m)).astype(float),
    "drawn": lambda n, m, random: random.normal(0, 1, (n, m)).round(2),
}


def visible(shape):
    return np.tri(*shape, dtype=bool)


def uniform(shape):
    seen = visible(shape)
    return (seen / seen.sum(axis=1, keepdims=True)).round(4)


def first_only(shape):
    return np.eye(shape[1])[np.zeros(shape[0], int)]


def nearly_uniform(shape):
    return uniform(shape) + running(*shape, 0, 1e-5) * visible(shape)


def peaked(shape):
    """Each row in hundredths, most of it for the first token."""
    rest = np.tri(*shape, k=-1) * 0.01
    rest[:, 0] = 0
    rest[:, 0] = 1 - rest.sum(axis=1)
    return rest


WEIGHTS = {
    "uniform": uniform,
    "nearly uniform": nearly_uniform,
    "first": first_only,
    "itself": lambda shape: np.eye(*shape),
    "peaked": peaked,
}


def short(name):
    """Without the path of its head."""
    return name.rpartition("/")[2]


def copied(value, shape, turned=False):
    """As much of a matrix as fits, again and again; None if it has no such shape turned."""
    value = value.T if turned else value
    n, m = shape
    return np.resize(value[:, :m], (n, m)) if value.shape[1] >= m else np.resize(value, (n, m))


def slightly(value):
    """The same but for less than a tolerance, and no two changes alike."""
    return value + running(*value.shape, 1e-6, 1e-6)


ENDS = {
    "scaled": ("scores",),
    "masked": ("scaled", "scores"),
    "weights": ("masked",),
    "head": ("V", "weights"),
    "update": ("head", "X"),
    "output": ("X", "beta", "update"),
    "sublayer_input": ("beta", "x"),
    "sum": ("x", "delta"),
    "normalised": ("x", "sum"),
    "variance": ("mean",),
    "layer": ("n_heads",),
    "attention": ("n_layers",),
    "mlps": ("n_layers",),
    "mlp": ("W_up",),
    "Q": ("X",),
    "K": ("X",),
    "V": ("X",),
}


def source(stage, before, place=0):
    """What this step is copied from, by the names of the exercise; None if nothing is."""
    names = ENDS.get(short(stage.name), ())[place:]
    path = stage.name[: len(stage.name) - len(short(stage.name))]
    found = (before.get(path + name, before.get(name)) for name in names)
    return next((value for value in found if value is not None), None)


def masked(value):
    return np.where(visible(value.shape), value, BLOCKED)


def ways(stage, before, random, other):
    """Every way to fill in this step blindly, by name.

    before: what is given, and the own steps. other: the right step of another variant.
    """
    n, m = stage.value.shape
    name = short(stage.name)
    plain = {way: fill(n, m, random) for way, fill in FILLS.items()}
    plain["of another variant"] = other
    for place in (0, 1):
        one = source(stage, before, place)
        if one is not None:
            visible_only = np.where(np.isfinite(one), one, 0.0)
            plain[f"copy {place}"] = slightly(copied(visible_only, (n, m)))
            plain[f"turned {place}"] = copied(visible_only, (n, m), turned=True)
    if name == "weights":
        plain |= {way: fill((n, m)) for way, fill in WEIGHTS.items()}
    if name == "masked":
        # Where the scores are given, to mask those is the work of the step, and not blind.
        given = stage.sources <= {"scores"}
        plain |= {
            f"{way}, masked": masked(value)
            for way, value in plain.items()
            if not (given and way.startswith(("copy", "turned")))
        }
    return plain


def another_variant(exercise, seed):
    """The right steps of the next variant in which something else is given."""
    given = str(exercise.given_values)
    others = (find_exercise(exercise.id, other) for other in count(seed + 1))
    return next(one.true_values for one in others if str(one.given_values) != given)


def answer(exercise, chosen, seed):
    """chosen: the way for each step by its name, or by the last part of it; else that of ""."""
    random, another = np.random.default_rng(seed), another_variant(exercise, seed)
    before, steps = dict(exercise.given_values), {}
    for stage in exercise.stages:
        there = ways(stage, before, random, another[stage.name])
        wanted = chosen.get(stage.name) or chosen.get(short(stage.name)) or chosen[""]
        value = next(there[way] for way in (*wanted, "tiny") if way in there)
        before[stage.name], steps[stage.name] = value, typed(value)
    return steps


def score(exercise, chosen, seed):
    return float(mark_exercise(exercise, answer(exercise, chosen, seed), "en").mark.score)
