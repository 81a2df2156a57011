"""Broken ways from scores to weights. Each takes what the step takes, and gives what it would."""

import numpy as np

from service.engine.softmax import softmax
from service.engine.trace import Array


def softmax_down_columns(masked: Array) -> Array:
    """e^Mᵢⱼ / Σᵢ' e^Mᵢ'ⱼ: each key's column sums to 1."""
    return softmax(masked.T, may_be_blind=True).T


def no_exponential(masked: Array) -> Array:
    """Mᵢⱼ / Σⱼ' Mᵢⱼ', a blocked score counting as 0; NaN where a row sums to 0."""
    seen = np.where(np.isneginf(masked), 0.0, masked)
    total = seen.sum(axis=1, keepdims=True)
    return seen / np.where(total == 0.0, np.nan, total)


def no_normalisation(masked: Array) -> Array:
    """e^Mᵢⱼ."""
    return np.exp(masked)


def base_two(masked: Array) -> Array:
    """2^Mᵢⱼ / Σⱼ' 2^Mᵢⱼ'."""
    return softmax(masked * np.log(2.0), may_be_blind=True)


def mask_after_softmax(masked: Array, scaled: Array) -> Array:
    """softmax of every score, and then 0 for what is hidden."""
    return np.where(np.isneginf(masked), 0.0, softmax(scaled, may_be_blind=True))


def mask_as_zero(masked: Array) -> Array:
    """softmax with 0 in place of −∞, so that each hidden score still takes part as e^0."""
    return softmax(np.where(np.isneginf(masked), 0.0, masked), may_be_blind=True)
