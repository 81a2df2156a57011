"""What stands before the first block and after the last: embeddings, and the next word.

X = E[t] + P; logits = x Eᵀ. Sources: Vaswani et al. 2017, section 3.4; Radford et al. 2018,
equation 2; logits by the embedding itself: Press & Wolf 2017.
"""

import numpy as np

from service.engine import layernorm_rules
from service.engine.block import frame_rules as rules
from service.engine.block.given import Frame
from service.engine.block.places import Placed, check_fits, copy
from service.engine.blocks import whole
from service.engine.counted import counted, there_are
from service.engine.errors import EngineError, ShapeError
from service.engine.labels import labels_for
from service.engine.limits import check_cells, norm
from service.engine.positions.encode import sinusoidal
from service.engine.softmax import softmax
from service.engine.trace import Array, Axis, Step, Trace

Axes = dict[str, Axis]


def check_frame(X: Array | None, frame: Frame) -> None:
    """Raise EngineError unless X is given or can be made, ShapeError where parts do not fit."""
    if X is not None:
        for name in ("token_ids", "embedding", "position_embedding", "sinusoidal"):
            if getattr(frame, name) is not None:
                raise EngineError(name, f"{name} is not used with X; leave one of the two out.")
        if frame.vocabulary is not None and frame.unembedding is None:
            raise EngineError("vocabulary", "vocabulary labels an unembedding; there is none.")
        return
    if frame.token_ids is None:
        raise EngineError("X", "X is missing; send X, or token_ids and embedding, or a seed.")
    if frame.embedding is None:
        raise EngineError("embedding", "embedding is missing; token_ids are rows of it.")
    n, (vocab, d_model) = len(frame.token_ids), frame.embedding.shape
    labels_for("vocabulary", frame.vocabulary, vocab, "rows of embedding")
    for i, token in enumerate(frame.token_ids):
        if not 0 <= token < vocab:
            raise EngineError(
                f"token_ids/{i}",
                f"Token {token} is not there; embedding has rows 0 to {vocab - 1}.",
            )
    P = frame.position_embedding
    if P is not None and frame.sinusoidal is not None:
        raise EngineError(
            "sinusoidal", "sinusoidal and position_embedding are both given; send one of the two."
        )
    if P is not None and P.shape[1] != d_model:
        raise ShapeError(
            "position_embedding",
            f"position_embedding has {counted(P.shape[1], 'columns')}, but embedding {d_model};"
            " they are added.",
        )
    if P is not None and len(P) < n:
        raise ShapeError(
            "position_embedding",
            f"position_embedding has {counted(len(P), 'rows')}, but {there_are(n, 'tokens')};"
            " each needs one.",
        )


def shape_of(X: Array | None, frame: Frame) -> tuple[int, int]:
    """How many tokens there are, and how wide each is."""
    if X is not None:
        return len(X), X.shape[1]
    assert frame.token_ids is not None
    assert frame.embedding is not None
    return len(frame.token_ids), frame.embedding.shape[1]


def embedded(X: Array | None, frame: Frame, axes: Axes) -> Trace:
    """X as it was given; or X, or token_embeddings, [positions,] and X, from token_ids.

    token_ids (n), embedding (n_vocab, d_model), position_embedding (at least n, d_model).
    """
    if X is not None:
        return Trace(axes, [], [Step(rules.X, X)], {}, [])
    ids, E = np.array(frame.token_ids, dtype=np.intp), frame.embedding
    assert E is not None
    n, found = len(ids), E[ids]
    check_cells("token_ids", n, E.shape[1])
    inputs = [
        Step(rules.TOKEN_IDS, ids[:, None].astype(np.float64)),
        Step(rules.EMBEDDING, E),
    ]
    axes = {**axes, "vocab": Axis(len(E), frame.vocabulary)}
    said = {"positions": "none"}
    looked_up = Step(rules.looked_up("token_embeddings", "T"), found)
    if frame.position_embedding is not None:
        P, said = frame.position_embedding[:n], {"positions": "learned"}
        inputs.append(Step(rules.POSITION_EMBEDDING, P))
        steps = [looked_up, Step(rules.with_positions("position_embedding", "P"), found + P)]
    elif frame.sinusoidal is not None:
        base, offset = frame.sinusoidal
        waves = sinusoidal(n, E.shape[1], base=base, offset=offset)
        said = {"positions": "sinusoidal"}
        inputs += waves.inputs
        axes["pair"] = waves.axes["pair"]
        PE = waves.steps[-1]
        added = found + np.asarray(PE.value)
        steps = [looked_up, *waves.steps, Step(rules.with_positions("encoding", "PE"), added)]
    else:
        steps = [Step(rules.looked_up("X", "X"), found)]
    return check_fits(Trace(axes, inputs, steps, said, []), norm(whole(steps[-1].value)))


def unembedded(x: Placed, frame: Frame, axes: Axes) -> Trace:
    """x, logits, probabilities: x (n, d_model), a matrix (n_vocab, d_model) -> (n, n_vocab).

    Raises ShapeError if the unembedding does not take x's columns.
    """
    tied = frame.unembedding is None
    E = frame.embedding if tied else frame.unembedding
    assert E is not None
    n, d_model = x.value.shape
    if E.shape[1] != d_model:
        raise ShapeError(
            "unembedding",
            f"unembedding has {counted(E.shape[1], 'columns')}, but the blocks make {d_model}; it"
            f" has a row of {counted(d_model, 'numbers')} for each word.",
        )
    check_cells("unembedding", n, len(E))
    template = rules.EMBEDDING if tied else rules.UNEMBEDDING
    logits = x.value @ E.T
    steps = [
        copy(x, layernorm_rules.X),
        Step(rules.logits(template.name), logits),
        Step(rules.PROBABILITIES, softmax(logits, False)),
    ]
    labels = labels_for("vocabulary", frame.vocabulary, len(E), f"rows of {template.name}")
    axes = {**axes, "vocab": Axis(len(E), labels)}
    said = {"tied": tied}
    trace = Trace(axes, [Step(template, E)], steps, said, [], {}, x.elsewhere())
    return check_fits(trace, norm(logits))
