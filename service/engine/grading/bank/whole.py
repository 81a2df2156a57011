"""All questions by id, those of the lecture's own quiz first."""

from service.engine.grading.bank.blocks import TAKEN_APART
from service.engine.grading.bank.cost import PRICE
from service.engine.grading.bank.cross import TWO_TEXTS
from service.engine.grading.bank.embeddings import EMBEDDING_QUESTIONS
from service.engine.grading.bank.heads import MANY_HEADS
from service.engine.grading.bank.lecture import LECTURE
from service.engine.grading.bank.masking import MASKING_QUESTIONS
from service.engine.grading.bank.moving import MOVED
from service.engine.grading.bank.norms import ADD_AND_NORM
from service.engine.grading.bank.patterns import PATTERN_QUESTIONS
from service.engine.grading.bank.positions import PLACES
from service.engine.grading.bank.scaling import SCALING_QUESTIONS
from service.engine.grading.bank.scores import SCORE_QUESTIONS
from service.engine.grading.questions.question import Bank

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
