"""Broken ways to normalise the rows of x (n, d); mean and variance are columns (n, 1)."""

import numpy as np

from service.engine.trace import Array


def unbiased_variance(x: Array, mean: Array) -> Array:
    """Σⱼ (xᵢⱼ − μᵢ)² / (d − 1)."""
    return np.sum((x - mean) ** 2, axis=1, keepdims=True) / (x.shape[1] - 1)


def mean_of_squares(x: Array) -> Array:
    """The variance without taking off the mean."""
    return np.mean(x * x, axis=1, keepdims=True)


def deviation(x: Array, mean: Array) -> Array:
    """σ in place of σ²."""
    return np.sqrt(np.mean((x - mean) ** 2, axis=1, keepdims=True))


def divided_by_variance(x: Array, mean: Array, variance: Array, eps: float) -> Array:
    """(x − μ) / (σ² + ε)."""
    return (x - mean) / (variance + eps)


def mean_not_removed(x: Array, variance: Array, eps: float) -> Array:
    """x / √(σ² + ε)."""
    return x / np.sqrt(variance + eps)


def unbiased_division(x: Array, mean: Array, variance: Array, eps: float) -> Array:
    """(x − μ) / √(σ² d / (d − 1) + ε): the variance of the division divides by d − 1."""
    d = x.shape[1]
    return (x - mean) / np.sqrt(variance * d / (d - 1) + eps)
