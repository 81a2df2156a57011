"""The questions on add and norm."""

from service.engine.grading.bank.norms_order import ORDER
from service.engine.grading.bank.norms_rows import ROWS
from service.engine.grading.questions.question import Bank

ADD_AND_NORM: Bank = {**ORDER, **ROWS}
