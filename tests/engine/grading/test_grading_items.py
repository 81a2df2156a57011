import json

import pytest

from service.engine.errors import EngineError
from service.engine.grading.bank.lecture import LECTURE
from service.engine.grading.grade import grade, grade_item

HALVES = [0.5, 0.5, 0]
RIGHT = {
    "dot-product": {"kind": "text", "text": "1"},
    "masked-weights": {"kind": "matrix", "matrix": [HALVES]},
    "why-scale": {"kind": "choice", "choices": ["c"]},
    "why-mask": {"kind": "choice", "choices": ["b"]},
    "heads-gpt3": {"kind": "text", "text": "9,216"},
    "context-doubling": {"kind": "number", "number": 4},
}


def typed(text):
    return {"kind": "text", "text": text}


def matrix(*rows):
    return {"kind": "matrix", "matrix": list(rows)}


def chosen(*choices):
    return {"kind": "choice", "choices": list(choices)}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        *(("dot-product", typed(text)) for text in ["1", "+1", "1.0", "2/2", "100%", "\uff11"]),
        ("dot-product", {"kind": "number", "number": 1}),
        ("dot-product", {"kind": "number", "number": 1.0}),
        ("masked-weights", matrix(HALVES)),
        ("masked-weights", matrix(["1/2", "50%", "0"])),
        ("masked-weights", matrix(["½", ".5", "0.00"])),
        ("masked-weights", matrix(["0.505", "0.495", "0"])),
        ("why-scale", chosen("c")),
        ("why-mask", chosen("b", "b")),
        *(
            ("heads-gpt3", typed(text))
            for text in [
                "9216",
                "9,216",
                "9 216",
                "9'216",
                "96²",
                "9.216e3",
                "9.216×10^3",
                "9.216k",
            ]
        ),
        ("heads-gpt3", {"kind": "number", "number": 9216}),
        *(("context-doubling", typed(text)) for text in ["4", "2^2", "4.0", "8/2", "400 %"]),
    ],
)
def test_the_right_answer_is_right_in_many_notations(question, answer):
    item = grade_item(question, answer, locale="en")
    assert (item["verdict"], item["score"]) == ("correct", 1.0)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        *(("dot-product", typed(text)) for text in ["5", "-1", "3", "0.71", "1.0001"]),
        ("masked-weights", matrix(["1/3", "1/3", "1/3"])),
        ("masked-weights", matrix([1, 1, 1])),
        ("masked-weights", matrix([[0.5]])),
        ("why-scale", chosen("a")),
        ("why-scale", chosen("b")),
        ("why-scale", chosen("d")),
        ("why-mask", chosen("a")),
        ("why-mask", chosen("c")),
        ("why-mask", chosen("d")),
        *(("heads-gpt3", typed(text)) for text in ["96", "192", "9220", "9215", "12288", "9.2k"]),
        ("heads-gpt3", {"kind": "number", "number": 9.216}),
        *(("context-doubling", typed(text)) for text in ["2", "8", "3", "1/4", "4%", "4.001"]),
    ],
)
def test_a_plausible_wrong_answer_is_wrong(question, answer):
    item = grade_item(question, answer, locale="en")
    assert (item["verdict"], item["score"], item["attempt_counts"]) == ("incorrect", 0.0, True)


def test_an_item_says_how_its_text_was_read():
    item = grade_item("heads-gpt3", typed("9,216"), locale="en")
    assert item.pop("grader").keys() == {"version", "rule_digest"}
    assert item == {
        "question": "heads-gpt3",
        "verdict": "correct",
        "score": 1.0,
        "maximum": 1,
        "attempt_counts": True,
        "rule": "The whole number, exactly.",
        "reading": {
            "text": "9,216",
            "value": 9216,
            "normal_form": "9216",
            "latex": "9216",
            "alternatives": [
                {"value": 9.216, "normal_form": "9.216", "because": "comma before the decimals"}
            ],
        },
        "feedback": [{"code": "correct", "message": "Read as 9216. Right."}],
    }


def test_an_ambiguous_text_costs_no_attempt_and_shows_both_readings():
    item = grade_item("heads-gpt3", typed("9,216"))
    assert (item["verdict"], item["score"], item["attempt_counts"]) == ("unreadable", 0.0, False)
    assert item["feedback"][0]["code"] == "ambiguous"
    assert {other["normal_form"] for other in item["reading"]["alternatives"]} == {"9216", "9.216"}


@pytest.mark.parametrize("number", [True, False, None, float("nan"), float("inf")])
def test_a_value_that_is_no_number_is_unreadable(number):
    item = grade_item("dot-product", {"kind": "number", "number": number})
    assert (item["verdict"], item["reading"]["value"]) == ("unreadable", None)


def test_minus_infinity_is_reported_as_null_with_its_sign_in_words():
    reading = grade_item("dot-product", typed("-inf"))["reading"]
    assert (reading["value"], reading["normal_form"]) == (None, "−∞")


def test_an_integer_beyond_double_precision_is_exact_in_the_normal_form():
    reading = grade_item("heads-gpt3", typed("9007199254740993"))["reading"]
    assert reading["normal_form"] == "9007199254740993"
    assert isinstance(reading["value"], float)


def test_a_matrix_reports_each_cell():
    item = grade_item("masked-weights", matrix(["0.5", 0.5, ""]))
    assert item["verdict"] == "partial"
    assert item["score"] == 2 / 3
    assert [cell["verdict"] for cell in item["cells"][0]] == ["correct", "correct", "unreadable"]
    assert [cell["score"] for cell in item["cells"][0]] == [1.0, 1.0, 0.0]
    assert item["cells"][0][2]["feedback"][0]["code"] == "blank"
    assert "reading" not in item


def test_a_column_for_the_row_is_named_as_transposed():
    item = grade_item("masked-weights", matrix([0.5], [0.5], [0]))
    assert (item["verdict"], item["feedback"][0]["code"]) == ("incorrect", "transposed")
    assert "cells" not in item


def test_a_choice_has_no_reading():
    item = grade_item("why-mask", chosen("b"))
    assert "reading" not in item
    assert "cells" not in item


@pytest.mark.parametrize(
    ("question", "answer", "message"),
    [
        ("dot-product", chosen("a"), "an answer of kind text or number, not choice."),
        ("dot-product", matrix([1]), "an answer of kind text or number, not matrix."),
        ("masked-weights", typed("0.5"), "an answer of kind matrix, not text."),
        ("why-mask", typed("b"), "an answer of kind choice, not text."),
    ],
)
def test_an_answer_of_another_kind_is_unreadable_and_told_the_right_kinds(
    question, answer, message
):
    item = grade_item(question, answer)
    assert (item["verdict"], item["attempt_counts"]) == ("unreadable", False)
    assert item["feedback"] == [{"code": "wrong_kind", "message": f"This question takes {message}"}]


def test_steps_are_refused():
    with pytest.raises(EngineError, match="not in steps") as caught:
        grade_item("dot-product", {"kind": "steps", "steps": {}})
    assert caught.value.field == "answer/kind"


WRONG = {
    "dot-product": typed("77"),
    "masked-weights": matrix([7, 7, 7]),
    "why-scale": chosen("a"),
    "why-mask": chosen("a"),
    "heads-gpt3": typed("77"),
    "context-doubling": typed("77"),
}


@pytest.mark.parametrize("question", LECTURE)
def test_feedback_holds_the_key_only_when_it_is_revealed(question):
    hidden = grade_item(question, WRONG[question])
    shown = grade_item(question, WRONG[question], reveal=True)
    assert [note["code"] for note in shown["feedback"][-2:]] == ["answer", "explanation"]
    assert shown["feedback"][:-2] == hidden["feedback"]
    assert not {"answer", "explanation"} & {note["code"] for note in hidden["feedback"]}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("dot-product", "The answer is 1."),
        ("masked-weights", "The answer is (0.5, 0.5, 0)."),
        ("why-scale", "The answer is c."),
        ("heads-gpt3", "The answer is 9216."),
        ("context-doubling", "The answer is 4."),
    ],
)
def test_a_revealed_answer_is_the_key(question, answer):
    feedback = grade_item(question, WRONG[question], reveal=True)["feedback"]
    assert feedback[-2] == {"code": "answer", "message": answer}


def test_too_high_and_too_low_get_the_same_feedback():
    high, low = (grade_item("heads-gpt3", typed(text)) for text in ("9217", "9215"))
    assert high["feedback"][0]["message"].replace("9217", "9215") == low["feedback"][0]["message"]


def test_the_score_is_the_sum_over_the_items():
    answers = RIGHT | {"dot-product": typed("2"), "masked-weights": matrix([0.5, 0.5, 9])}
    items = [{"question": name, "answer": answer} for name, answer in answers.items()]
    report = grade(items, locale="en")
    assert report["score"] == {"given": 14 / 3, "maximum": 6, "scaled": 7 / 9}
    assert [item["question"] for item in report["items"]] == list(answers)


def test_all_right_is_one_exactly_and_all_wrong_is_a_zero():
    right = [{"question": name, "answer": answer} for name, answer in RIGHT.items()]
    wrong = [{"question": name, "answer": answer} for name, answer in WRONG.items()]
    assert grade(right, locale="en")["score"] == {"given": 6.0, "maximum": 6, "scaled": 1.0}
    assert grade(wrong)["score"] == {"given": 0.0, "maximum": 6, "scaled": 0.0}
    assert grade([])["score"] == {"given": 0.0, "maximum": 0, "scaled": 0.0}


def test_an_item_is_graded_on_the_variant_of_its_seed():
    product = LECTURE["heads-gpt3"](1).task.key
    items = [{"question": "heads-gpt3", "seed": 1, "answer": typed(str(product))}]
    assert grade(items)["score"]["given"] == 1.0
    items = [{"question": "heads-gpt3", "seed": 1, "answer": typed("9216")}]
    assert grade(items)["score"]["given"] == 0.0


def test_an_error_names_the_place_of_its_item():
    good = {"question": "dot-product", "answer": typed("1")}
    with pytest.raises(EngineError) as caught:
        grade([good, {"question": "heads-gpt", "answer": typed("1")}])
    assert caught.value.field == "items/1/question"
    assert "'heads-gpt3'" in caught.value.message


def test_the_same_items_give_the_same_bytes_and_strict_json():
    items = [{"question": name, "answer": answer} for name, answer in RIGHT.items()]
    items.append({"question": "dot-product", "answer": typed("-inf")})
    once, again = (json.dumps(grade(items), allow_nan=False) for _ in range(2))
    assert once == again
