import pytest

from service.engine.grading.marking.answers import graded
from service.engine.grading.marking.rules import ShortText
from service.engine.grading.marking.short_texts import normal_words
from service.engine.grading.marking.task import Misconception, Task

SAME = [
    ("Self-Attention", "self attention"),
    ("self\u2010attention", "self-attention"),
    ("self \u2013 attention", "self attention"),
    ("self\u00adattention", "selfattention"),  # a soft hyphen is no hyphen
    ("  softmax\t", "softmax"),
    ("soft\u200bmax", "softmax"),
    ("SOFTMAX", "softmax"),
    ("\uff53oftmax", "softmax"),
    ("Straße", "STRASSE"),
    ("ﬁne", "fine"),
    ("1 \u2126", "1 \u03a9"),  # the sign for ohm and the letter omega
    ("5 \u00b5m", "5 \u03bcm"),  # the micro sign and the letter mu
    ("cafe\u0301", "café"),
    ("GPT-3", "gpt 3"),
    ("don\u2019t", "don't"),
    ("a  b\nc", "a b c"),
    ("x - 1", "x\u22121"),
    ("x - 1", "x-1"),
    ("3 - x", "3-x"),
    ("x\u00b2", "x^2"),
    ("10\u207b\u00b9\u00b2", "10^-12"),
    ("x\u2081", "x1"),
    ("query - key", "query-key"),
]
DIFFERENT = [
    ("café", "cafe"),
    ("ä", "a"),
    ("-1", "1"),
    ("softmax", "soft max"),
    ("self attention", "selfattention"),
    ("key", "keys"),
    ("x - 1", "x 1"),
    ("x-1", "x 1"),
    ("a - b", "a b"),
    ("loss - 2", "loss 2"),
    ("loss -2", "loss 2"),
    ("x\u00b2", "x2"),
    ("10\u00b3", "103"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_writings_of_the_same_words_have_one_normal_form(one, other):
    assert normal_words(one) == normal_words(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_words_have_another_normal_form(one, other):
    assert normal_words(one) != normal_words(other)


@pytest.mark.parametrize(("one", "_other"), SAME + DIFFERENT)
def test_a_normal_form_is_its_own(one, _other):
    assert normal_words(normal_words(one)) == normal_words(one)


def mark(rule, typed, key="Self-Attention"):
    return graded(Task(rule, key), {"kind": "text", "text": typed})


def test_the_key_and_all_that_is_accepted_are_right():
    rule = ShortText(("intra-attention",))
    verdicts = [
        mark(rule, typed).mark.verdict
        for typed in ("self attention", "Intra attention", "cross-attention")
    ]
    assert verdicts == ["correct", "correct", "incorrect"]


def test_capitals_matter_only_where_they_do():
    assert mark(ShortText(case_matters=True), "self attention").mark.verdict == "incorrect"
    assert mark(ShortText(case_matters=True), "Self Attention").mark.verdict == "correct"
    assert mark(ShortText(), "SELF ATTENTION").mark.verdict == "correct"


def test_the_reading_is_the_normal_form_and_has_no_value():
    reading = mark(ShortText(), "Self-Attention").reading
    assert (reading.normal_form, reading.value) == ("self attention", None)
    assert reading.latex == r"\text{self attention}"


def test_what_latex_would_take_for_its_own_is_spelt_out():
    assert mark(ShortText(), r"50% {a_b} \x").reading.latex == (
        r"\text{50\% \{a\_b\} \textbackslash{}x}"
    )


@pytest.mark.parametrize("blank", ["", "  ", "\u200b", "\t\n"])
def test_nothing_is_blank_and_not_wrong(blank):
    found = mark(ShortText(), blank).mark
    assert (found.verdict, found.feedback[0].code) == ("unreadable", "blank")


def test_an_essay_is_too_long_to_be_read():
    found = mark(ShortText(), "a" * 201).mark
    assert (found.verdict, found.feedback[0].code) == ("unreadable", "too_long")


@pytest.mark.parametrize(
    "answer", [{"kind": "number", "number": 1}, {"kind": "choice", "choices": ["a"]}]
)
def test_words_are_answered_with_text(answer):
    assert graded(Task(ShortText(), "a"), answer).mark.feedback[0].code == "wrong_kind"


def test_wrong_words_are_told_the_slip_in_any_writing():
    slip = Misconception("other_kind", "That one has keys of another text.", "cross-attention")
    task = Task(ShortText(), "self-attention", misconceptions=lambda: (slip,))
    assert graded(task, {"kind": "text", "text": "Cross attention"}).misconception == slip
    assert graded(task, {"kind": "text", "text": "inattention"}).misconception is None
