"""Every kind of request at its limit is answered from a bounded memory; the next is refused early.

What is measured is what a machine's load does not change: bytes allocated and calls made. Seconds
are measured by bench/limits.py, which reads each reply to its end. docs/limits.md states both.
"""

import re
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
from kinds import FOUND_WHILE_COMPUTING, KINDS, MANY_SMALL_OBJECTS, MOST_BYTES, Full
from werkzeug.test import EnvironBuilder

from service.api import lines, rounding, writer
from service.api.quiz import own as quiz_own
from service.api.quiz import questions as quiz
from service.api.quiz import work as quiz_work
from service.app import MAX_BODY_BYTES
from service.engine import (
    arithmetic,
    difference,
    limits,
    mask_effect,
    move,
    scaling,
    scaling_laboratory,
)
from service.engine.block import drawn, stack
from service.schemas import multihead

MIB = 1024 * 1024
LIMITS = (Path(__file__).parents[2] / "docs" / "limits.md").read_text()
# As much of a reply is read here; the rest is more of the same.
READ = MIB


def stated(what: str) -> int:
    """A number that docs/limits.md states, in the row that begins with these words."""
    row = re.search(rf"^\| {re.escape(what)} \| ([\d,]+)", LIMITS, re.MULTILINE)
    assert row, what
    return int(row[1].replace(",", ""))


MEMORY = stated("memory of one request, MiB") * MIB
REFUSAL = stated("memory of a refusal, bytes for each byte of the body")
BESIDE = stated("memory of a refusal beside that, MiB") * MIB
CALLS = stated("function calls of a refusal, beside one for each two bytes of the body")

every = pytest.mark.parametrize("name", KINDS)


@contextmanager
def allocated() -> Iterator[list[int]]:
    """The most bytes that are allocated at a time inside, once that is left."""
    most = [0]
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    try:
        yield most
    finally:
        most[0] = tracemalloc.get_traced_memory()[1] - before
        tracemalloc.stop()
    assert most[0] > 0


@contextmanager
def calls() -> Iterator[list[int]]:
    """How many calls of functions, Python's and C's, are made inside."""
    count = [0]

    def seen(_: Any, event: str, __: Any) -> None:
        count[0] += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        yield count
    finally:
        sys.setprofile(None)


def ask(app: Any, path: str, body: bytes) -> tuple[int, bytes]:
    """The status, and the reply's first part."""
    environ = EnvironBuilder(
        path=path, method="POST", data=body, content_type="application/json"
    ).get_environ()
    said: list[str] = []
    reply = app(environ, lambda status, headers, exc_info=None: said.append(status))
    text = b""
    for chunk in reply:
        text += chunk
        if len(text) > READ:
            break
    if hasattr(reply, "close"):
        reply.close()
    return int(said[0][:3]), text


@every
def test_the_largest_of_each_kind_is_answered_from_a_bounded_memory(app: Any, name: str) -> None:
    kind = KINDS[name]
    body = kind.at()
    if name in MANY_SMALL_OBJECTS:
        status, text = ask(app, kind.path, body)
    else:
        with allocated() as most:
            status, text = ask(app, kind.path, body)
        assert most[0] <= MEMORY
    assert status == (kind.status if isinstance(kind, Full) else 200), text[:300]


@every
def test_one_more_is_refused_before_any_work(app: Any, name: str) -> None:
    kind = KINDS[name]
    body = kind.above()
    with allocated() as most, calls() as count:
        status, text = ask(app, kind.path, body)
    if isinstance(kind, Full):
        assert (status, len(body)) == (413, MOST_BYTES + 1)
    else:
        problem = orjson.loads(text)
        assert (status, problem["errors"][0]["pointer"]) == (kind.status, kind.pointer)
    if name in FOUND_WHILE_COMPUTING:
        assert most[0] <= MEMORY / 4
    else:
        assert most[0] <= REFUSAL * len(body) + BESIDE
        assert count[0] <= CALLS + len(body) / 2


def test_there_are_a_hundred_kinds_and_more() -> None:
    assert len(KINDS) >= 100


def test_the_body_is_limited_as_the_kinds_assume() -> None:
    assert MAX_BODY_BYTES == MOST_BYTES


SIZES = {
    "cells of one step, over all heads": limits.MAX_CELLS,
    "cells of a mask by itself": mask_effect.MAX_CELLS,
    "queries of a mask by itself": mask_effect.MAX_ROWS,
    "tokens · width · blocks of `/v1/block`": stack.MAX_NUMBERS,
    "blocks": stack.MAX_BLOCKS,
    "numbers drawn at once for blocks": drawn.MAX_DRAWN,
    "heads": stack.MAX_HEADS,
    "heads of `/v1/multihead`": multihead.MAX_HEADS,
    "scores of the laboratory, given ones": scaling.MAX_CELLS,
    "scores of the laboratory, drawn ones": scaling_laboratory.MAX_SCORES,
    "numbers drawn by the laboratory": scaling_laboratory.MAX_NUMBERS,
    "numbers in the values that move an embedding": move.MAX_CELLS,
    "cells explained": arithmetic.MAX_CELLS,
    "numbers that they are made from": arithmetic.MAX_OPERANDS,
    "cells with `display`": writer.MOST_SHOWN,
    "cells rounded to 11 to 16 digits": rounding.MOST_ROUNDED,
    "cells that differ, of `/v1/compare`": difference.MAX_CELLS,
    "bytes of labels that a reply repeats": limits.MAX_CHARACTERS,
    "bytes of a request's body": MAX_BODY_BYTES,
    "characters and cells of answers, of `/v1/quiz/read` and `/v1/quiz/grade`": quiz_work.MAX_TYPED,
    "characters and cells of answers, of `/v1/quiz/regrade`": quiz_work.MAX_REGRADED,
    "characters and cells of a task's keys and misconceptions": quiz_work.MAX_OF_A_TASK,
    "the same of all different tasks of a request": quiz_work.MAX_OF_TASKS,
    "cells of keys and misconceptions that answers are compared with": quiz_work.MAX_COMPARED,
    "keys computed for one request": quiz_own.MOST_COMPUTED,
    "different keys computed for one batch": quiz_own.MOST_COMPUTED_IN_A_BATCH,
    "exercises of `/v1/quiz/grade`": quiz.MAX_EXERCISES,
    "lines of a batch": lines.MOST_LINES,
    "bytes of a line": lines.LONGEST_LINE,
}


@pytest.mark.parametrize(("what", "size"), SIZES.items(), ids=SIZES)
def test_a_size_is_stated_as_it_is(what: str, size: int) -> None:
    assert stated(what) == size


def test_every_size_that_is_stated_is_held() -> None:
    table = LIMITS.partition("## Sizes")[2].partition("## Time")[0]
    assert set(re.findall(r"^\| (.+?) \| [\d,]+", table, re.MULTILINE)) == set(SIZES)


def test_every_operation_that_computes_is_among_the_kinds(app: Any) -> None:
    computing = set(app.operations) - {"/v1/quiz/draw"}
    assert {kind.path for kind in KINDS.values()} >= computing
