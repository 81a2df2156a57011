"""A rule is told what it lets pass that it should not, and what it keeps out."""

from fractions import Fraction

import pytest

from service.engine.grading.checks.check import check
from service.engine.grading.checks.notations import notations
from service.engine.grading.checks.numbers import NOTHING_ASKED, Asked
from service.engine.grading.marking.rules import (
    Absolute,
    Cells,
    Choice,
    DecimalPlaces,
    Integer,
    Range,
    Relative,
    SignificantFigures,
)
from service.engine.grading.marking.task import Misconception, Option, Task
from service.engine.grading.reading.values import exact

WEIGHT = exact(0.4721)
OPTIONS = (Option("a", "√d_k"), Option("b", "d_k"), Option("c", "  √D_K "))


def codes(task, asked=NOTHING_ASKED):
    return {(finding.severity, finding.code) for finding in check(task, asked).findings}


@pytest.mark.parametrize(
    ("rule", "key"),
    [
        (Integer(), exact(9216)),
        (Absolute(Fraction(1, 200)), WEIGHT),
        (Relative(Fraction(1, 100)), WEIGHT),
        (SignificantFigures(3), WEIGHT),
        (DecimalPlaces(2), WEIGHT),
        (Range(Fraction(2, 5), Fraction(1, 2)), WEIGHT),
        (Absolute(Fraction(1, 5)), exact(45.8)),
    ],
)
def test_a_sound_rule_has_no_findings(rule, key):
    assert check(Task(rule, key)).findings == []
    assert check(Task(rule, key)).usable


@pytest.mark.parametrize(
    ("rule", "key", "severity", "code"),
    [
        (Integer(), WEIGHT, "error", "not_whole"),
        (Absolute(Fraction(1)), exact(9216), "warning", "neighbour_passes"),
        (Relative(Fraction(1, 1000)), exact(9216), "warning", "neighbour_passes"),
        (SignificantFigures(2), exact(9216), "warning", "neighbour_passes"),
        (Absolute(Fraction(1, 2)), WEIGHT, "error", "zero_passes"),
        (DecimalPlaces(0), WEIGHT, "error", "zero_passes"),
        (Relative(Fraction(9)), WEIGHT, "error", "zero_passes"),
        (Relative(Fraction(95, 100)), WEIGHT, "error", "misconception_passes"),
        (Range(Fraction(-1), Fraction(-1, 100)), -WEIGHT, "error", "misconception_passes"),
        (Relative(Fraction(1, 100)), exact(0), "error", "relative_to_zero"),
        (Absolute(Fraction(0)), exact(0.3), "warning", "zero_tolerance"),
        (Relative(Fraction(0)), exact(0.3), "warning", "zero_tolerance"),
        (Range(), WEIGHT, "error", "accepts_everything"),
        (Range(Fraction(1), Fraction(2)), WEIGHT, "error", "key_fails"),
        (SignificantFigures(5), WEIGHT, "warning", "key_has_fewer_figures"),
    ],
)
def test_a_rule_that_marks_wrongly_is_told_so(rule, key, severity, code):
    task = Task(rule, key)
    assert (severity, code) in codes(task)
    assert check(task).usable is not any(s == "error" for s, _ in codes(task))


def test_a_window_that_keeps_out_the_answer_as_asked_is_too_tight():
    task = Task(Absolute(Fraction(1, 1000)), exact(0.4721))
    assert ("error", "too_tight") in codes(task, Asked(decimals=2))
    assert ("error", "too_tight") in codes(task, Asked(figures=2))
    assert codes(task, Asked(decimals=3)) == set()


def test_a_misconception_that_passes_is_named():
    slips = (Misconception("added", "Multiply.", exact(9200)),)
    task = Task(Relative(Fraction(1, 100)), exact(9216), misconceptions=lambda: slips)
    (found,) = [one for one in check(task).findings if one.code == "misconception_passes"]
    assert found.message.startswith("added: ")
    assert ("error", "misconception_passes") not in codes(
        Task(Integer(), exact(9216), misconceptions=lambda: slips)
    )


def test_two_misconceptions_with_the_same_answer_are_named():
    slips = (Misconception("a", "", exact(192)), Misconception("b", "", exact(192)))
    task = Task(Integer(), exact(9216), misconceptions=lambda: slips)
    assert codes(task) == {("warning", "misconceptions_coincide")}


@pytest.mark.parametrize(
    ("rule", "key", "options", "expected"),
    [
        (Choice(), {"b"}, OPTIONS[:2], set()),
        (Choice(), {"b"}, OPTIONS, {("error", "options_equal")}),
        (Choice(), {"a", "b"}, OPTIONS[:2], {("error", "key_fails"), ("warning", "all_right")}),
        (Choice(several=True), {"a", "b"}, OPTIONS[:2], {("warning", "all_right")}),
        (Choice(partial=True), {"a"}, OPTIONS[:2], {("warning", "partial_without_several")}),
        (Choice(), {"a"}, OPTIONS[:1], {("error", "one_option")}),
    ],
)
def test_options_are_checked(rule, key, options, expected):
    assert codes(Task(rule, frozenset(key), options)) == expected


def matrix(*rows):
    return tuple(tuple(map(exact, row)) for row in rows)


def test_cells_share_a_finding_that_names_their_places():
    task = Task(Cells(Absolute(Fraction(1, 2))), matrix([0.4, 0.3, 2]))
    (found,) = check(task).findings
    assert found.code == "zero_passes"
    assert found.message.endswith("(row 1 column 1, row 1 column 2)")


def test_rows_that_do_not_sum_to_1_cannot_earn_credit_for_it():
    rule = Cells(Absolute(Fraction(1, 100)), rows_sum_to_one=True)
    assert codes(Task(rule, matrix([0.4, 0.7]))) == {("error", "rows_do_not_sum")}
    assert codes(Task(rule, matrix([0.4, 0.6]))) == set()


def test_a_key_that_is_its_own_transpose_is_noted():
    rule = Cells(Absolute(Fraction(1, 100)))
    assert codes(Task(rule, matrix([1.5, 2.5], [2.5, 3.5]))) == {("note", "symmetric")}
    assert codes(Task(rule, matrix([1.5, 2.5], [0.5, 3.5]))) == set()


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (
            57982058496,
            {
                ("57982058496", None),
                ("57,982,058,496", "en"),
                ("57.982.058.496", "de"),
                ("57\u202f982\u202f058\u202f496", None),
                ("5.7982058496e10", None),
                ("5.7982058496×10^10", None),
            },
        ),
        (
            -0.0125,
            {
                ("-0.0125", None),
                ("−0.0125", None),
                ("-0,0125", "de"),
                ("-1.25e-2", None),
                ("-1.25×10^-2", None),
                ("-1/80", None),
            },
        ),
        (0, {("0", None)}),
        (
            Fraction(1, 3),
            {
                ("1/3", None),
            },
        ),
    ],
)
def test_notations_are_those_of_the_classroom(value, written):
    assert set(notations(exact(value))) == written


def test_the_notations_tried_are_reported():
    tried = check(Task(Integer(), exact(9216))).tried
    assert {one.verdict for one in tried} == {"correct"}
    assert ("9,216", "en", "correct") in tried


NO_DIGITS = [
    (SignificantFigures(2, written_so=True), Fraction(0)),
    (SignificantFigures(2, written_so=True), float("inf")),
    (DecimalPlaces(2, written_so=True), float("-inf")),
]


@pytest.mark.parametrize(("rule", "key"), NO_DIGITS)
def test_a_key_without_the_digits_that_are_asked_for_is_never_right(rule, key):
    found = check(Task(rule, key))
    assert not found.usable
    assert "never_right" in {one.code for one in found.findings}
    each = check(Task(Cells(rule), ((Fraction(1, 3), key),)))
    assert ("error", "never_right") in {one[:2] for one in each.findings}


def test_an_infinity_is_no_whole_number():
    assert ("error", "not_whole") in {
        one[:2] for one in check(Task(Integer(), float("inf"))).findings
    }


def test_others_get_their_turns_between_the_parts_of_a_check():
    slips = [Misconception(f"c{i}", "m", Fraction(i)) for i in range(20)]
    given = []
    task = Task(Integer(), Fraction(50), misconceptions=lambda: tuple(slips))
    check(task, give_way=lambda: given.append(1))
    assert len(given) > 20


def test_a_check_looks_for_no_reasons(monkeypatch):
    slips = tuple(Misconception(f"c{i}", "m", Fraction(i)) for i in range(20))
    task = Task(Integer(), Fraction(50), misconceptions=lambda: slips)
    monkeypatch.setattr("service.engine.grading.marking.answers.diagnosis", None)
    assert check(task).usable
