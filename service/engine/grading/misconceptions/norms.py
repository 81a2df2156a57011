"""Broken ways to normalise the rows of x (n, d); mean and variance are columns (n, 1)."""

import numpy as np

from service.engine.layernorm import EPS
from service.engine.trace import Array


def unbiased_variance(x: Array, mean: Array) -> Array:
    """Σⱼ (xᵢⱼ − μᵢ)² / (d − 1)."""
    variance: Array = np.sum((x - mean) ** 2, axis=1, keepdims=True) / (x.shape[1] - 1)
    return variance


def mean_of_squares(x: Array) -> Array:
    """The variance without taking off the mean."""
    mean: Array = np.mean(x * x, axis=1, keepdims=True)
    return mean


def deviation(x: Array, mean: Array) -> Array:
    """σ in place of σ²."""
    root: Array = np.sqrt(np.mean((x - mean) ** 2, axis=1, keepdims=True))
    return root


def divided_by_variance(x: Array, mean: Array, variance: Array) -> Array:
    """(x − μ) / (σ² + ε)."""
    return (x - mean) / (variance + EPS)


def mean_not_removed(x: Array, variance: Array) -> Array:
    """x / √(σ² + ε)."""
    divided: Array = x / np.sqrt(variance + EPS)
    return divided


def unbiased_division(x: Array, mean: Array, variance: Array) -> Array:
    """(x − μ) / √(σ² d / (d − 1) + ε): the variance of the division divides by d − 1."""
    d = x.shape[1]
    divided: Array = (x - mean) / np.sqrt(variance * d / (d - 1) + EPS)
    return divided
