"""Worked solutions are traces like those of any endpoint: the same writer, the same contract."""

import json

import pytest
from contract_file import exactly

from service.api.view import View
from service.api.writer import stream, write
from service.engine.arithmetic import Cells
from service.engine.grading.bank.whole import BANK
from service.engine.grading.questions.reveal import worked_solution

IN_FULL = [(None, Cells("*"))]


@pytest.mark.parametrize("id", BANK)
@pytest.mark.parametrize("columns", [False, True], ids=["rows", "columns"])
def test_a_worked_solution_is_written_as_a_trace(id: str, columns: bool) -> None:
    view = View(None, IN_FULL, 4, columns, None)
    for seed in (None, 1, 2, 3):
        trace = worked_solution(BANK[id](seed))
        written = json.loads(b"".join(stream(write(trace, view))))
        exactly("#/components/schemas/Trace").validate(written)
        names = [step.rule.name for step in trace.steps]
        assert [step["name"] for step in written["steps"]] == names
        assert {one["step"] for one in written["explanations"]} == set(names)
        assert all(law["holds"] for law in written["invariants"])
