"""The rules of every trace: nudge one given cell, and nothing outside the predicted cells moves."""

import copy

import numpy as np
import pytest
from provenance import differing, nodes, reached
from samples import SAMPLES

from service.engine.expressions import EXPRESSIONS
from service.engine.expressions_of_quantities import QUANTITIES

ORIENTATIONS = ("rows", "columns")
# A cell of the concatenation is one head's cell, but its rule can only say "one of these heads";
# so is a rotated cell made from one pair of its row.
WIDER_THAN_NEEDED = {"concat", "rotated", "Q_rotated", "K_rotated"}


def places(body, path=()):
    """The path of every matrix or vector in a request."""
    if isinstance(body, dict):
        for name, part in body.items():
            yield from places(part, (*path, name))
    elif isinstance(body, list) and isinstance(body[0], dict):
        for i, part in enumerate(body):
            yield from places(part, (*path, i))
    elif isinstance(body, list):
        yield path


def at(body, path):
    for part in path:
        body = body[part]
    return body


def cells(matrix):
    if isinstance(matrix[0], list):
        return [(i, j) for i, row in enumerate(matrix) for j in range(len(row))]
    return [(j,) for j in range(len(matrix))]


def nudged(body, path, cell):
    """The request with one cell changed: a number moved, a null seen, a flag turned."""
    other = copy.deepcopy(body)
    row = at(other, (*path, *cell[:-1]))
    value = row[cell[-1]]
    if path[-1] == "token_ids":
        row[cell[-1]] = (value + 1) % 3  # another row of the embedding
        return other
    row[cell[-1]] = not value if type(value) is bool else 0.25 if value is None else value + 0.375
    return other


def root_name(path):
    """What a reply calls the matrix at this place of a request."""
    return "context" if path[0] == "context" else path[-1]


CASES = [
    pytest.param(name, orientation, path, id=f"{name}-{orientation}-{'.'.join(map(str, path))}")
    for name, sample in SAMPLES.items()
    for orientation in ORIENTATIONS
    for path in places(sample.body)
]


@pytest.fixture(scope="module")
def replies(ask):
    """The reply to each sample as it is, asked once."""
    known = {}

    def reply(name, orientation):
        if (name, orientation) not in known:
            path, body, _ = SAMPLES[name]
            known[name, orientation] = ask(path, body | {"orientation": orientation})
        return known[name, orientation]

    return reply


@pytest.mark.parametrize(("name", "orientation", "path"), CASES)
def test_a_nudged_cell_moves_only_what_reads_it(name, orientation, path, ask, replies):
    sample = SAMPLES[name]
    plain = replies(name, orientation)
    steps = nodes(plain)
    given = {node for node in steps if steps[node]["operation"] == "input"}
    moves_something = []
    for cell in cells(at(sample.body, path)):
        body = nudged(sample.body, path, cell) | {"orientation": orientation}
        moved = differing(plain, ask(sample.path, body))
        roots = {node for node in given if moved[node].any()}
        # The cell is where the reply shows it, once for each trace that was given it.
        assert {last for _, last in roots} == {root_name(path)}
        assert all(moved[node].sum() == 1 for node in roots)
        may_move = reached(plain, {node: moved[node] for node in given})
        for node, where in moved.items():
            assert not (where & ~may_move[node]).any(), (node, cell)
        if sample.plain:
            for node, where in may_move.items():
                wide = node[1] in WIDER_THAN_NEEDED
                assert wide or (moved[node] | ~where).all(), (node, cell)
        moves_something.append(any(moved[node].any() for node in steps.keys() - given))
    # Where a mask has several parts, one of them may hide what another shows.
    assert all(moves_something) if sample.plain else any(moves_something)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_step_reads_something_that_comes_before_it(name, ask):
    sample = SAMPLES[name]
    reply = ask(sample.path, sample.body)
    # causal and window are no matrices; the rest are made from the base, or from places alone.
    free = {"masked", "hidden", "frequencies", "slopes", "alibi", "alibi_1", "alibi_2", "alibi_3"}
    for (_, last), step in nodes(reply).items():
        assert step["operation"] == "input" or step["reads"] or last in free


def test_the_nudge_test_covers_every_operation_but_the_given_one(ask):
    # Single quantities occur in worked solutions alone; test_bank works out their arithmetic.
    found = {
        step["operation"]
        for sample in SAMPLES.values()
        for step in nodes(ask(sample.path, sample.body)).values()
    }
    assert found == set(EXPRESSIONS) - set(QUANTITIES)


@pytest.mark.parametrize("name", SAMPLES)
def test_columns_are_the_exact_transpose_of_rows(name, replies):
    rows, columns = nodes(replies(name, "rows")), nodes(replies(name, "columns"))
    assert rows.keys() == columns.keys()
    for node, step in rows.items():
        turned = columns[node]
        if node[1].startswith("W_"):
            assert turned == step, node
            continue
        for member in ("value", "hidden"):
            if member in step:
                transposed = np.array(step[member], dtype=object).T.tolist()
                assert turned[member] == transposed, (node, member)
        assert turned["axes"] == step["axes"][::-1]
        assert turned["shape"] == step["shape"][::-1]
