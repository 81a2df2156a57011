"""The model that a configuration describes, once every default is filled in."""

from service.engine.errors import ShapeError
from service.engine.params.configuration import Configuration, Model


def resolve(asked: Configuration) -> Model:
    """The model that is counted: n_kv_heads = n_heads, d_head = d_model / n_heads, d_v = d_head,
    d_ff = 4 d_model, each stack n_layers, β where the norm is a LayerNorm.

    Raises ShapeError if the sizes do not fit together.
    """
    n_encoder_layers, n_decoder_layers = _stack_depths(asked)
    d_head = asked.d_head or _even_share(asked)
    return Model(
        architecture=asked.architecture,
        d_model=asked.d_model,
        n_encoder_layers=n_encoder_layers,
        n_decoder_layers=n_decoder_layers,
        n_heads=asked.n_heads,
        n_kv_heads=_key_value_heads(asked),
        d_head=d_head,
        d_v=asked.d_v or d_head,
        d_ff=asked.d_ff or 4 * asked.d_model,
        vocab_size=asked.vocab_size,
        context=asked.context,
        tied=asked.tied,
        attention_biases=_either(asked.attention_biases, asked.biases),
        mlp_biases=_either(asked.mlp_biases, asked.biases),
        norm=asked.norm,
        norm_beta=_has_beta(asked),
        final_norm=asked.final_norm and asked.norm != "none",
        positions=asked.positions,
        mlp=asked.mlp,
        bytes_per_value=asked.bytes_per_value,
    )


def _either(chosen: bool | None, default: bool) -> bool:
    return default if chosen is None else chosen


def _stack_depths(asked: Configuration) -> tuple[int, int]:
    """(encoder layers, decoder layers)."""
    if asked.architecture == "encoder_decoder":
        return (
            _depth(asked, "n_encoder_layers", asked.n_encoder_layers),
            _depth(asked, "n_decoder_layers", asked.n_decoder_layers),
        )
    for field in ("n_encoder_layers", "n_decoder_layers"):
        if (depth := getattr(asked, field)) is not None:
            raise ShapeError(
                field,
                f"{field} is {depth}, but {asked.architecture} has one stack, which n_layers "
                f"counts; give n_layers instead, or set architecture to encoder_decoder.",
            )
    if asked.n_layers is None:
        raise ShapeError(
            "n_layers",
            f"n_layers is missing; {asked.architecture} needs the number of its layers.",
        )
    return (0, asked.n_layers) if asked.architecture == "decoder_only" else (asked.n_layers, 0)


def _depth(asked: Configuration, field: str, depth: int | None) -> int:
    depth = depth or asked.n_layers
    if depth is None:
        raise ShapeError(
            field,
            f"{field} is missing, and so is n_layers, its default; give {field}, or n_layers "
            f"for both stacks.",
        )
    return depth


def _even_share(asked: Configuration) -> int:
    if asked.d_model % asked.n_heads:
        raise ShapeError(
            "d_head",
            f"d_head is missing, and its default d_model / n_heads is not whole: d_model is "
            f"{asked.d_model}, n_heads is {asked.n_heads}; give d_head, or an n_heads that "
            f"divides {asked.d_model}.",
        )
    return asked.d_model // asked.n_heads


def _key_value_heads(asked: Configuration) -> int:
    n_kv_heads = asked.n_kv_heads or asked.n_heads
    if asked.n_heads % n_kv_heads:
        raise ShapeError(
            "n_kv_heads",
            f"n_kv_heads is {n_kv_heads}, but n_heads is {asked.n_heads}; n_heads must be a "
            f"multiple of n_kv_heads, so that each key/value head serves equally many query "
            f"heads. Choose a divisor of {asked.n_heads}.",
        )
    return n_kv_heads


def _has_beta(asked: Configuration) -> bool:
    if asked.norm_beta and asked.norm != "layer":
        raise ShapeError(
            "norm_beta",
            f"norm_beta is true, but norm is {asked.norm}, which has no β; set norm to layer, "
            f"or norm_beta to false.",
        )
    return _either(asked.norm_beta, asked.norm == "layer")
