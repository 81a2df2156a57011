"""The attention of a block: heads cut from packed matrices, and their sum."""

from typing import Any

from service.engine import attention_rules as rules
from service.engine.attention import Options
from service.engine.block.given import PackedHeads, Shared
from service.engine.block.places import Placed, check_fits, copy
from service.engine.blocks import whole
from service.engine.combined import combined
from service.engine.errors import EngineError
from service.engine.heads import cut
from service.engine.limits import norm
from service.engine.mask import Mask
from service.engine.multihead import reply, traces_of
from service.engine.positions.alibi import Slopes
from service.engine.positions.rotary import Rotary
from service.engine.projection import check_width
from service.engine.sources import Tokens, Weights
from service.engine.trace import Axis


def self_attention(
    path: str, x: Placed, given: PackedHeads, kind: str, shared: Shared, axes: dict[str, Axis]
) -> dict[str, Any]:
    """Each token looks at the tokens of its own text."""
    options = _options(shared, shared.self_mask(kind, given), shared.rotary)
    return _attention(path, x, Tokens(), given, shared, options, shared.alibi, axes)


def cross_attention(
    path: str,
    x: Placed,
    context: Tokens,
    given: PackedHeads,
    shared: Shared,
    axes: dict[str, Axis],
) -> dict[str, Any]:
    """Each token looks at another text; no mask over it unless the sublayer has its own."""
    options = _options(shared, None if given.mask is None else Mask(**given.mask))
    return _attention(path, x, context, given, shared, options, None, axes)


def _options(shared: Shared, mask: Mask | None, rotary: Rotary | None = None) -> Options:
    return Options(
        mask,
        shared.scale,
        shared.softcap,
        shared.weights_layout,
        rotary,
        fully_masked_rows=shared.fully_masked_rows,
    )


def _attention(
    path: str,
    x: Placed,
    context: Tokens,
    given: PackedHeads,
    shared: Shared,
    options: Options,
    alibi: Slopes | None,
    axes: dict[str, Axis],
) -> dict[str, Any]:
    """{"heads": [{"name", "trace"}], "combined": trace of concat and update}.

    Raises EngineError if something is missing, and what traces_of() raises.
    """
    weights = Weights(given.W_Q, given.W_K, given.W_V, given.W_O, given.b_Q, given.b_K, given.b_V)
    n_heads = given.n_heads or shared.n_heads
    n_kv_heads = given.n_kv_heads or (None if given.n_heads else shared.n_kv_heads)
    if n_heads is None:
        raise EngineError("n_heads", "n_heads is missing; send it here or for all blocks.")
    check_packed(weights, x.value.shape[1], context, options.layout)
    heads, beside = cut(weights, n_heads, n_kv_heads, options.layout)
    own = copy(x, rules.X)
    tokens, features = axes["token"].labels, axes["d_model"].labels
    traces, _ = traces_of(own, context, heads, options, alibi, tokens, features, "", beside)
    elsewhere = x.elsewhere()
    traces = [trace._replace(elsewhere=elsewhere) for trace in traces]
    together = combined(heads, traces, options.layout, f"{path}/", given.b_O)
    # The heads beside each other have been looked at one by one.
    return reply(heads, traces, check_fits(together, norm(whole(together.steps[-1].value))))


def check_packed(weights: Weights, d_model: int, context: Tokens, layout: str) -> None:
    """Raise EngineError for a matrix that is missing, ShapeError for one of another width.

    Looked for before heads are cut, so that what is said is said of the matrix as it was sent.
    """
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        if getattr(weights, name) is None:
            raise EngineError(name, f"{name} is missing; attention needs W_Q, W_K, W_V and W_O.")
    of, d_in = ("X", d_model) if context.X is None else ("context.X", context.X.shape[1])
    assert weights.W_Q is not None
    assert weights.W_K is not None
    assert weights.W_V is not None
    check_width("W_Q", weights.W_Q, layout, d_model, "X", "(n_heads·d_k)")
    check_width("W_K", weights.W_K, layout, d_in, of, "(n_kv_heads·d_k)")
    check_width("W_V", weights.W_V, layout, d_in, of, "(n_kv_heads·d_v)")
