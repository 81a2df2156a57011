"""Readings and marks as plain JSON values. The names here are the API's."""

from typing import NotRequired, TypedDict

from service.engine.grading.marking.answers import Graded
from service.engine.grading.marking.mark import Note, Verdict
from service.engine.grading.marking.matrices import MarkedCell
from service.engine.grading.marking.rules import Rule, in_words
from service.engine.grading.reading.notation import json_number, normal_form
from service.engine.grading.reading.read import Reading


class AlternativeReport(TypedDict):
    value: int | float | None
    normal_form: str
    because: str


class ReadingReport(TypedDict):
    """value is null for an infinity ("∞" in normal_form) and where there is no reading ("")."""

    text: str
    value: int | float | None
    normal_form: str
    latex: str
    alternatives: list[AlternativeReport]


class NoteReport(TypedDict):
    code: str
    message: str


class CellReport(TypedDict):
    verdict: Verdict
    score: float
    reading: ReadingReport
    feedback: list[NoteReport]


class ItemReport(TypedDict):
    """attempt_counts is false where nothing could be read, so that it costs the student nothing.

    reading is there for a number, cells for a matrix of the right shape.
    """

    question: str
    verdict: Verdict
    score: float
    maximum: int
    attempt_counts: bool
    rule: str
    feedback: list[NoteReport]
    reading: NotRequired[ReadingReport]
    cells: NotRequired[list[list[CellReport]]]


def report_item(name: str, rule: Rule, graded: Graded, more: tuple[Note, ...] = ()) -> ItemReport:
    """What is said of an answer to the task of this name; `more` is added to the feedback."""
    mark = graded.mark
    report: ItemReport = {
        "question": name,
        "verdict": mark.verdict,
        "score": float(mark.score),
        "maximum": 1,
        "attempt_counts": mark.verdict != "unreadable",
        "rule": in_words(rule),
        "feedback": [_note(note) for note in (*mark.feedback, *more)],
    }
    if graded.reading is not None:
        report["reading"] = _reading(graded.reading)
    if graded.cells:
        report["cells"] = [[_cell(cell) for cell in row] for row in graded.cells]
    return report


def _cell(cell: MarkedCell) -> CellReport:
    return {
        "verdict": cell.mark.verdict,
        "score": float(cell.mark.score),
        "reading": _reading(cell.reading),
        "feedback": [_note(note) for note in cell.mark.feedback],
    }


def _reading(reading: Reading) -> ReadingReport:
    return {
        "text": reading.text,
        "value": None if reading.value is None else json_number(reading.value),
        "normal_form": reading.normal_form,
        "latex": reading.latex,
        "alternatives": [
            {"value": json_number(value), "normal_form": normal_form(value), "because": because}
            for value, because in reading.alternatives
        ],
    }


def _note(note: Note) -> NoteReport:
    return {"code": note.code, "message": note.message}
