"""All questions by id, those of the lecture's own quiz first."""

from service.engine.grading.questions.heads import MANY_HEADS
from service.engine.grading.questions.lecture import LECTURE
from service.engine.grading.questions.moving import MOVED
from service.engine.grading.questions.norms import ADD_AND_NORM
from service.engine.grading.questions.question import Bank

BANK: Bank = {**LECTURE, **MANY_HEADS, **MOVED, **ADD_AND_NORM}
