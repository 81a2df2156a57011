"""The sizes of a model that is drawn: those that are sent, and those seen in what is sent."""

from typing import Any, NamedTuple

from service.engine.errors import EngineError

Members = dict[str, Any]

NAMES = ("n_layers", "d_model", "d_ff", "vocab_size", "n_tokens")


class Sizes(NamedTuple):
    """n_vocab None: X in place of an embedding, and no next word."""

    n: int
    d_model: int
    n_vocab: int | None
    d_ff: int
    n_layers: int


def sizes_of(request: Members) -> Sizes:
    """The sizes of what a request has and lacks.

    Raises EngineError for one that is missing, or that is not the size of what is there.
    """
    X, E = request.get("X"), request.get("embedding")
    for name in ("n_layers", "d_ff"):
        if name in request and "blocks" in request:
            raise EngineError(name, f"{name} is not used with blocks; leave one of the two out.")
    if X is not None and "vocab_size" in request:
        raise EngineError("vocab_size", "vocab_size is not used with X; leave one of the two out.")
    d_model = _size(
        request, "d_model", {"X": _of(X, 1), "embedding": _of(E, 1)}, "a seed needs it, or X"
    )
    lengths: dict[str, int | None] = {
        name: len(request[name]) for name in ("token_ids", "tokens") if name in request
    }
    n = _size(request, "n_tokens", {"X": _of(X, 0), **lengths}, "a seed needs it, or tokens")
    n_vocab = None
    if X is None and {"vocab_size", "vocabulary", "embedding", "token_ids"} & request.keys():
        words = len(request["vocabulary"]) if "vocabulary" in request else None
        n_vocab = _size(
            request,
            "vocab_size",
            {"embedding": _of(E, 0), "vocabulary": words},
            "token_ids need it, or a vocabulary",
        )
    return Sizes(n, d_model, n_vocab, request.get("d_ff", 4 * d_model), request.get("n_layers", 1))


def _of(matrix: Any, axis: int) -> int | None:
    return None if matrix is None else int(matrix.shape[axis])


def _size(request: Members, name: str, seen: dict[str, int | None], why: str) -> int:
    """The size as it is seen in the first member that is there, or as it is sent."""
    sent: int | None = request.get(name)
    for member, size in seen.items():
        if size is not None:
            if sent not in (None, size):
                raise EngineError(name, f"{name} is {sent}, but that of {member} is {size}.")
            return size
    if sent is None:
        raise EngineError(name, f"{name} is missing; {why}.")
    return sent
