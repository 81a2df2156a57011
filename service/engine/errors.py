"""What the engine says when numbers cannot be used: the fact and the field, not how it travels."""


class EngineError(ValueError):
    """A request that is well-formed but unusable: which field, and what to change."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


class ShapeError(EngineError):
    """Inputs that do not fit together."""


class OverflowingStep(EngineError):
    """Finite inputs whose result at a named step is too large for a float64."""


class TooLarge(EngineError):
    """A request whose size is refused before any work is done."""
