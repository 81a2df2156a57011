"""Drawing a set of questions for a browser, which learns neither seed nor key."""

import secrets
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint

from service.api.caller import Caller
from service.api.contract import operation
from service.api.quiz.posed import posed
from service.api.quiz.tokens import DrawnBy, Sealed
from service.engine.grading.exercises.exercise import Exercise
from service.engine.grading.pool import POOL, find_posed
from service.engine.grading.questions.drawing import drawn
from service.engine.grading.questions.question import Question
from service.schemas.lecture.demos import examples_of
from service.schemas.quiz.draw import DAY, DrawReply, DrawRequest

bp = Blueprint("quiz_draw", __name__)

STAND_INS = {"token": "gAAAAAB…", "expires": "2026-12-24T18:00:00Z"}


@bp.post("/quiz/draw")
@operation(
    DrawReply,
    DrawRequest,
    tag="quiz",
    examples=examples_of("/v1/quiz/draw"),
    secured=True,
    stand_ins=STAND_INS,
)
def draw_questions(
    caller: Caller,
    expires_in: int,
    seed: int | None = None,
    learner: str = "",
    questions: tuple[str, ...] = (),
    **filters: Any,
) -> dict[str, Any]:
    """Draw a set of questions, each with a token in place of its seed.

    A token is encrypted and expires. An answer names it in place of question and seed, so whoever
    has only tokens cannot look up the variant. The tokens are others each time.

    A learner, a seed and more than a day take a teacher's credential: they say whom a verdict is
    about, and which variant. A verdict on a token says whether one came with its request.
    """
    if learner:
        caller.must_be_teacher("learner")
    if seed is not None:
        caller.must_be_teacher("seed")
    if expires_in > DAY:
        caller.must_be_teacher("An expires_in of more than a day")
    by: DrawnBy = "teacher" if caller.is_teacher else "anyone"
    if seed is None:
        seed = 1 + secrets.randbelow(2**53 - 1)
    tokens = caller.secrets.tokens
    expires = int(tokens.now()) + expires_in
    until = datetime.fromtimestamp(expires, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def given(question: Question | Exercise) -> dict[str, Any]:
        token = tokens.seal(Sealed(question.id, seed, expires, learner, by))
        return {**posed(question), "token": token, "expires": until}

    return {
        "questions": list(map(given, drawn(POOL, find_posed, seed, among=questions, **filters)))
    }
