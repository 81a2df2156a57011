"""The transformer as a graph, in symbols and in the numbers of published models."""

from service.engine.architecture.document import architecture
from service.engine.architecture.models import MODELS

__all__ = ["MODELS", "architecture"]
