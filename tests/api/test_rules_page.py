"""docs/rules.md: what its tables say of answers is so."""

import json
import re
from pathlib import Path

import pytest

from service.api.quiz.tasks import task_of
from service.engine.grading.marking.answers import graded
from service.engine.grading.marking.task import Task
from service.schemas.quiz import tasks as quiz_tasks

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text("utf-8")
ROWS = [re.findall("`([^`]*)`|( [|] )", line) for line in PAGE.splitlines() if "| `" in line]
VARIABLES = {"kind": "expression", "variables": {"q": [-3, 3], "d_k": [1, 128]}}


def columns(row: list[tuple[str, str]]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for text, bar in row:
        if bar:
            found.append([])
        else:
            found[-1].append(text)
    return found


TABLE = [columns(row) for row in ROWS]
NUMBERS = [row for row in TABLE if row[0][0].startswith("{")]
FORMULAS = [row for row in TABLE if len(row) == 4 and not row[0][0].startswith("{")]


def task(rule: object, key: str) -> Task:
    loaded = quiz_tasks.Task().load({"rule": rule, "key": {"kind": "text", "text": key}})
    return task_of(loaded, "en")


def verdict(of: Task, typed: str) -> str:
    return graded(of, {"kind": "text", "text": typed}, "en").mark.verdict


@pytest.mark.parametrize("row", NUMBERS, ids=lambda row: row[0][0])
def test_numbers_are_right_as_the_page_says(row: list[list[str]]) -> None:
    (rule,), (key,), right, wrong = row
    own = task(json.loads(rule), key)
    assert {verdict(own, typed) for typed in right} == {"correct"}
    assert {verdict(own, typed) for typed in wrong} <= {"incorrect", "partial"}


@pytest.mark.parametrize("row", FORMULAS, ids=lambda row: row[0][0])
def test_formulas_are_right_as_the_page_says(row: list[list[str]]) -> None:
    (key,), right, wrong, unread = row
    own = task(VARIABLES, key)
    assert {verdict(own, typed) for typed in right} == {"correct"}
    assert {verdict(own, typed) for typed in wrong} == {"incorrect"}
    assert {verdict(own, typed) for typed in unread} == {"unreadable"}


def test_the_page_has_a_row_for_each_rule_of_one_number_that_needs_no_computed_key() -> None:
    kinds = {json.loads(row[0][0])["kind"] for row in NUMBERS}
    assert kinds == {
        "integer", "absolute", "relative", "significant_figures", "decimal_places", "range",
    }  # fmt: skip
    assert len(FORMULAS) == 2
