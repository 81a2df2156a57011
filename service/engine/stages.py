"""The stages of add & norm: the mean and the variance of each row, before and after."""

import numpy as np

from service.engine.errors import OverflowingStep
from service.engine.rows import means
from service.engine.trace import Array, Step

STAGES = ("x", "sum", "normalised", "output")

Statistics = dict[str, list[float]]


def stages_of(steps: list[Step]) -> tuple[list[str], Array]:
    """The names of the stages that there are, and their values: (stage, n, d)."""
    values = {step.rule.name: step.value for step in steps}
    stages = [stage for stage in STAGES if stage in values]
    return stages, np.array([values[stage] for stage in stages])


def statistics(stages: list[str], rows: Array, fits: bool) -> dict[str, Statistics]:
    """Mean and population variance of each row, at each stage; `rows` (stage, n, d) is overwritten.

    Raises OverflowingStep for one that a float64 cannot hold, though the stage itself fits; looked
    for unless it is known that each `fits`.
    """
    mean = means(rows)
    rows -= mean
    rows *= rows
    variance = means(rows)
    if not fits:
        check_statistics(stages, mean, variance)
    mean += 0.0  # −0.0 is written as 0.0
    of_stages = zip(stages, mean[..., 0].tolist(), variance[..., 0].tolist(), strict=True)
    return {stage: {"mean": mu, "variance": v} for stage, mu, v in of_stages}


def check_statistics(stages: list[str], mean: Array, variance: Array) -> None:
    """Raise OverflowingStep for the first mean or variance that a float64 cannot hold."""
    for stage, *both in zip(stages, np.isfinite(mean), np.isfinite(variance), strict=True):
        for name, fits in zip(("mean", "variance"), both, strict=True):
            if not fits.all():
                raise OverflowingStep(
                    "",
                    f"The {name} of row {int(np.argmin(fits))} of {stage} does not fit a float64."
                    " Use smaller numbers.",
                )
