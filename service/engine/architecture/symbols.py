"""The sizes that shapes are made of: name, symbol, meaning, and value in a model.

Vaswani et al. 2017, section 3 and Table 3.
"""

from typing import NamedTuple

from service.engine.params.configuration import Model


class Symbol(NamedTuple):
    name: str
    latex: str
    meaning: str


SYMBOLS = (
    Symbol("n_context", "n", "The most tokens that a text may have."),
    Symbol("n_source", r"n_{\mathrm{source}}", "Tokens of the text that the encoder reads."),
    Symbol("n_target", r"n_{\mathrm{target}}", "Tokens of the text that the decoder writes."),
    Symbol("n_vocab", r"n_{\mathrm{vocab}}", "Tokens that there are to choose from."),
    Symbol("d_model", r"d_{\mathrm{model}}", "Numbers in the vector of a token."),
    Symbol("d_ff", r"d_{\mathrm{ff}}", "Numbers in the middle of feed forward."),
    Symbol("d_k", "d_k", "Numbers in a query and in a key of one head."),
    Symbol("d_v", "d_v", "Numbers in a value of one head."),
    Symbol("n_heads", "h", "Heads of one attention."),
    Symbol("n_layers", "N", "Layers of a stack: how often its frame is repeated."),
)


def sizes(model: Model) -> dict[str, int]:
    """The value of every symbol, each text as long as the context; no source without an encoder.

    In the published models encoder and decoder have equally many layers (Table 3).
    """
    lengths = {"n_context": model.context, "n_target": model.context}
    if model.n_encoder_layers:
        lengths["n_source"] = model.context
    return lengths | {
        "n_vocab": model.vocab_size,
        "d_model": model.d_model,
        "d_ff": model.d_ff,
        "d_k": model.d_head,
        "d_v": model.d_v,
        "n_heads": model.n_heads,
        "n_layers": model.n_decoder_layers,
    }
