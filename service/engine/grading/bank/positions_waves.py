"""Questions on positions told by angles: sinusoidal encodings and rotary embeddings."""

import math
from fractions import Fraction

import numpy as np

from service.engine.grading.marking.rules import Absolute, Relative
from service.engine.grading.questions.chapters import POSITIONS
from service.engine.grading.questions.question import Bank, Question
from service.engine.grading.questions.solutions import computed
from service.engine.grading.questions.tasks import number_task
from service.engine.grading.questions.variants import pick
from service.engine.grading.questions.vectors import picked
from service.engine.positions.encode import rotary, sinusoidal
from service.engine.positions.rotary import Rotary
from service.engine.trace import Trace, find

_BASE = 10_000


def sinusoidal_cell(seed: int | None = None) -> Question:
    """sin(p / 10000^(2i/d)), or cos, for number 2i or 2i + 1 of position p."""
    d = pick(4, (6, 8), seed, "d")
    place = pick(2, (1, 2, 3), seed, "place")
    p = pick(30, (5, 7, 9, 12, 15, 20, 25, 40, 50), seed, "p")
    pair, cosine = divmod(place, 2)
    wave = math.cos if cosine else math.sin
    angle = p * float(_BASE) ** (-2 * pair / d)

    def mistakes() -> dict[str, float]:
        found = {
            "sine_for_cosine": math.sin(angle) if cosine else math.cos(angle),
            "frequency_forgotten": wave(p),
            "place_for_pair": wave(p * float(_BASE) ** (-2 * place / d)),
            "exponent_halved": wave(p * float(_BASE) ** (-pair / d)),
        }
        if place < 3:  # a cosine of so small an angle is 1, as after many another slip
            found["degrees_for_radians"] = wave(math.radians(angle))
        return found

    def solution() -> Trace:
        trace = sinusoidal(n=p + 1, d_model=d)
        cell = picked("cell", "a", "The number asked for", find(trace.steps, "encoding"), p, place)
        return trace._replace(steps=[*trace.steps, cell])

    return Question(
        id="sinusoidal-cell",
        title="One number of a positional encoding",
        chapter=POSITIONS,
        difficulty=3,
        prompt=f"Embeddings have $d = {d}$ numbers. The sinusoidal encoding of position $p$ has "
        r"the numbers $PE_{p,2i} = \sin(p / 10000^{2i/d})$ and "
        rf"$PE_{{p,2i+1}} = \cos(p / 10000^{{2i/d}})$, with $i$ counted from 0. What is "
        rf"$PE_{{{p},{place}}}$, to three decimals?",
        hints=(
            "Is the second index even or odd, and so which $i$ and which wave belong to it?",
            "Work out the angle first, with $i$ the index halved and rounded down. It is in "
            "radians.",
        ),
        task=number_task(Absolute(Fraction(1, 2000)), wave(angle), mistakes),
        explanation=rf"${place} = 2 \cdot {pair}{' + 1' * cosine}$, so it is the "
        f"{'cosine' if cosine else 'sine'} of "
        rf"$\frac{{{p}}}{{10000^{{{2 * pair}/{d}}}}} \approx {angle:.4f}$, which is "
        f"${wave(angle):.4f}$.",
        solution=solution,
    )


def rotary_angle(seed: int | None = None) -> Question:
    """(m − n) θᵢ with θᵢ = 10000^(−2i/d), a power of ten."""
    d = pick(8, (4, 8), seed, "d")
    pair = pick(1, (1,) if d == 4 else (1, 2, 3), seed, "pair")
    key = pick(4, (2, 5, 6, 9), seed, "key")
    apart = pick(5, (3, 4, 7, 8, 11), seed, "apart")
    query = key + apart
    theta = Fraction(1, 10 ** (4 * 2 * pair // d))

    def mistakes() -> dict[str, float | Fraction]:
        return {
            "query_turned_alone": query * theta,
            "turns_added": (query + key) * theta,
            "first_pair_for_all": Fraction(apart),
            "exponent_halved": apart * float(_BASE) ** (-pair / d),
            "degrees_for_radians": math.degrees(apart * theta),
        }

    def solution() -> Trace:
        trace = rotary(np.ones((query + 1, d)), Rotary())
        angles = find(trace.steps, "angles")
        of_query = picked("query", r"\alpha_q", "The turn of the query", angles, query, pair)
        of_key = picked("key", r"\alpha_k", "The turn of the key", angles, key, pair)
        title = "The turn between the two"
        between = computed("difference", "between", r"\alpha", title, of_query, of_key)
        return trace._replace(steps=[*trace.steps, of_query, of_key, between])

    return Question(
        id="rotary-angle",
        title="The turn between query and key",
        chapter=POSITIONS,
        difficulty=2,
        prompt=f"Rotary embeddings turn pair $i$ of a query or key of $d = {d}$ numbers by the "
        r"angle $p \cdot 10000^{-2i/d}$, in radians; $p$ is the position, $i$ counts pairs from 0. "
        f"By how much more is pair {pair} of a query at position {query} turned than that of a "
        f"key at position {key}?",
        hints=(
            r"How large is $10000^{-2i/d}$ here? It is a power of ten.",
            "Both are turned, each by its own position. The score sees only the difference.",
        ),
        task=number_task(Relative(Fraction(1, 100)), apart * theta, mistakes),
        explanation=rf"$10000^{{-{2 * pair}/{d}}} = {float(theta):g}$, and the two are "
        rf"${query} - {key} = {apart}$ positions apart: ${float(apart * theta):g}$. The same "
        "distance gives the same turn wherever the two stand.",
        solution=solution,
    )


WAVES: Bank = {"sinusoidal-cell": sinusoidal_cell, "rotary-angle": rotary_angle}
