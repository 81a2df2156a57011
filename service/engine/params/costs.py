"""What a forward pass over the whole context costs: scores, FLOPs, key-value cache.

Every sequence has length n = context, source and target alike. All numbers are exact integers.
"""

from service.engine.params.configuration import Model
from service.engine.params.totals import n_attentions


def scores(model: Model) -> dict[str, int]:
    """n² scores a head (Vaswani et al. 2017, section 3.2.1); a causal mask leaves n(n + 1)/2.

    `per_layer` is one attention with all its heads. Only the decoder's self-attention is masked:
    in `causal_visible_total` encoder and cross-attention count in full.
    """
    n, heads = model.context, model.n_heads
    table, visible = n * n, n * (n + 1) // 2
    attentions, masked = n_attentions(model), model.n_decoder_layers
    return {
        "n": n,
        "n_attentions": attentions,
        "per_head": table,
        "per_layer": heads * table,
        "total": attentions * heads * table,
        "causal_visible_per_head": visible,
        "causal_visible_per_layer": heads * visible,
        "causal_visible_total": heads * (masked * visible + (attentions - masked) * table),
        "bytes_per_head": model.bytes_per_value * table,
        "bytes_total": model.bytes_per_value * attentions * heads * table,
    }


def flops(model: Model, groups: dict[str, dict[str, int]]) -> dict[str, int]:
    """Matrix products alone, 2 FLOP per multiply-add: 2n for each weight of a projection,
    2 n² d for each head's Q·Kᵀ (d = d_head) and A·V (d = d_v).

    (Kaplan et al. 2020, section 2.1, with the n² part written out.) Masked scores are counted,
    because a plain implementation computes them; softmax, norms, biases and look-ups are not.
    """
    n = model.context
    tables = model.n_heads * n_attentions(model) * n * n
    parts = {
        "attention_projections": 2 * n * groups["attention"]["weights"],
        "scores": 2 * tables * model.d_head,
        "weighted_sum": 2 * tables * model.d_v,
        "mlp": 2 * n * groups["mlp"]["weights"],
        "logits": 2 * n * model.vocab_size * model.d_model,
    }
    return {"n": n, **parts, "total": sum(parts.values())}


def kv_cache(model: Model) -> dict[str, int]:
    """A decoder keeps n_layers · n_kv_heads · (d_head + d_v) values a token (Shazeer 2019,
    sections 2 and 3). An encoder keeps none.

    With cross-attention the decoder also keeps keys and values of each source token.
    """
    values = model.n_decoder_layers * model.n_kv_heads * (model.d_head + model.d_v)
    per_token = values * model.bytes_per_value
    per_source_token = per_token if model.architecture == "encoder_decoder" else 0
    return {
        "bytes_per_value": model.bytes_per_value,
        "values_per_token": values,
        "bytes_per_token": per_token,
        "bytes_per_source_token": per_source_token,
        "bytes_at_context": model.context * (per_token + per_source_token),
    }
