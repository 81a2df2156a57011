"""All questions by id, those of the lecture's own quiz first."""

from service.engine.grading.questions.blocks import TAKEN_APART
from service.engine.grading.questions.cost import PRICE
from service.engine.grading.questions.cross import TWO_TEXTS
from service.engine.grading.questions.embeddings import EMBEDDING_QUESTIONS
from service.engine.grading.questions.heads import MANY_HEADS
from service.engine.grading.questions.lecture import LECTURE
from service.engine.grading.questions.masking import MASKING_QUESTIONS
from service.engine.grading.questions.moving import MOVED
from service.engine.grading.questions.norms import ADD_AND_NORM
from service.engine.grading.questions.patterns import PATTERN_QUESTIONS
from service.engine.grading.questions.positions import PLACES
from service.engine.grading.questions.question import Bank
from service.engine.grading.questions.scaling import SCALING_QUESTIONS
from service.engine.grading.questions.scores import SCORE_QUESTIONS

BANK: Bank = {
    **LECTURE,
    **EMBEDDING_QUESTIONS,
    **PATTERN_QUESTIONS,
    **SCORE_QUESTIONS,
    **SCALING_QUESTIONS,
    **MASKING_QUESTIONS,
    **MANY_HEADS,
    **MOVED,
    **ADD_AND_NORM,
    **TAKEN_APART,
    **TWO_TEXTS,
    **PRICE,
    **PLACES,
}
