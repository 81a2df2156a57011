"""All questions by id, those of the lecture's own quiz first."""

from service.engine.grading.questions.lecture import LECTURE
from service.engine.grading.questions.question import Bank

BANK: Bank = {**LECTURE}
