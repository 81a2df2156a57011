"""Readings and marks as plain JSON values. The names here are the API's."""

from typing import NotRequired, TypedDict

from service.engine.grading.marking.answers import Graded
from service.engine.grading.marking.mark import Note, Verdict
from service.engine.grading.marking.matrices import MarkedCell, MarkedMatrix
from service.engine.grading.marking.rules import Rule
from service.engine.grading.marking.words import in_words
from service.engine.grading.reading.notation import json_number, normal_form
from service.engine.grading.reading.read import Reading
from service.engine.grading.version import Grader


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


class HeadReport(TypedDict):
    """One head of a tensor; cells are there if it has the right shape."""

    verdict: Verdict
    score: float
    feedback: list[NoteReport]
    cells: NotRequired[list[list[CellReport]]]


class ItemReport(TypedDict):
    """attempt_counts is false where nothing could be read, so that it costs the student nothing.

    reading is there for a number, a formula or words, cells for a matrix of the right shape, heads
    for a tensor with the right number of them, misconception where one explains the answer.
    """

    question: NotRequired[str]
    title: NotRequired[str]
    verdict: Verdict
    score: float
    maximum: int
    attempt_counts: bool
    rule: str
    feedback: list[NoteReport]
    reading: NotRequired[ReadingReport]
    cells: NotRequired[list[list[CellReport]]]
    heads: NotRequired[list[HeadReport]]
    misconception: NotRequired[NoteReport]
    grader: NotRequired[Grader]


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
        "feedback": [report_note(note) for note in (*mark.feedback, *more)],
    }
    if graded.reading is not None:
        report["reading"] = report_reading(graded.reading)
    if graded.cells:
        report["cells"] = report_cells(graded.cells)
    if graded.heads:
        report["heads"] = [_head(head) for head in graded.heads]
    if graded.misconception is not None:
        code, message, _ = graded.misconception
        report["misconception"] = {"code": code, "message": message}
    return report


def _head(head: MarkedMatrix) -> HeadReport:
    report: HeadReport = {
        "verdict": head.mark.verdict,
        "score": float(head.mark.score),
        "feedback": [report_note(note) for note in head.mark.feedback],
    }
    if head.cells:
        report["cells"] = report_cells(head.cells)
    return report


def report_cells(cells: tuple[tuple[MarkedCell, ...], ...]) -> list[list[CellReport]]:
    """The map of a matrix: verdict, score, reading and feedback of each cell."""
    return [[_cell(cell) for cell in row] for row in cells]


def _cell(cell: MarkedCell) -> CellReport:
    return {
        "verdict": cell.mark.verdict,
        "score": float(cell.mark.score),
        "reading": report_reading(cell.reading),
        "feedback": [report_note(note) for note in cell.mark.feedback],
    }


def report_reading(reading: Reading) -> ReadingReport:
    """How a text was understood."""
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


def report_note(note: Note) -> NoteReport:
    return {"code": note.code, "message": note.message}
