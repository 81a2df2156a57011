"""The questions on an embedding that moves."""

from service.engine.grading.bank.moving_by_values import BY_VALUES
from service.engine.grading.bank.moving_to_targets import TO_TARGETS
from service.engine.grading.questions.question import Bank

MOVED: Bank = {**BY_VALUES, **TO_TARGETS}
