"""Turns a case, which knows no API, into requests of ours and into the steps that it speaks of."""

from typing import Any, NamedTuple

import numpy as np

Body = dict[str, Any]


class Asked(NamedTuple):
    """One way to put a case: where it goes, the body, and whether tokens are columns."""

    path: str
    body: Body
    columns: bool = False


STEP_OF = {"output": "head", "residual": "output"}


def mask_of(inputs: Body, options: Body) -> Body:
    """The mask of a case; `keep_mask` that is ours alone, not one for each head."""
    mask: Body = {}
    if "keep_mask" in inputs:
        mask["keep"] = inputs["keep_mask"]
    if "additive_mask" in inputs:
        mask["bias"] = inputs["additive_mask"]
    if "key_padding_keep" in inputs:
        mask["keep_keys"] = inputs["key_padding_keep"]
    if options.get("causal"):
        mask["causal"] = True
    if "causal_alignment" in options:
        mask["alignment"] = options["causal_alignment"]
    return mask


def attention_forms(case: Body) -> dict[str, Asked]:
    """A case of one head in every way in which it can be asked."""
    inputs, options = case["inputs"], case["options"]
    body: Body = {name: options[name] for name in ("scale", "softcap") if name in options}
    body |= {name: inputs[name] for name in ("X", "Q", "K", "V") if name in inputs}
    body |= {name: inputs[name] for name in ("W_Q", "W_K", "W_V") if name in inputs}
    body["weights_layout"] = "in_out"
    if mask := mask_of(inputs, options):
        body["mask"] = mask
    if options.get("residual") or "residual" in _expected(case):
        d_v = len(inputs["W_V"][0]) if "W_V" in inputs else len(inputs["V"][0])
        body["W_O"] = np.eye(d_v).tolist()
    forms = {
        "rows": Asked("attention", body),
        "columns": Asked("attention", body | {"orientation": "columns"}, columns=True),
    }
    if "Q" in inputs and "X" not in inputs and len(inputs["K"]) == len(inputs["V"]):
        forms["from_embeddings"] = Asked("attention", through_embeddings(body))
    if "W_Q" in inputs:
        turned = {name: np.transpose(inputs[name]).tolist() for name in ("W_Q", "W_K", "W_V")}
        forms["out_in"] = Asked("attention", body | turned | {"weights_layout": "out_in"})
    if "keep" in mask:
        block = (~np.array(mask["keep"])).tolist()
        forms["block"] = Asked("attention", body | {"mask": {"block": block}})
        bias = np.where(block, None, 0.0).tolist()
        forms["bias"] = Asked("attention", body | {"mask": {"bias": bias}})
    return forms


def through_embeddings(body: Body) -> Body:
    """The same head from X = Q and a context [K V], with identity matrices as weights."""
    rest = {name: part for name, part in body.items() if name not in ("Q", "K", "V")}
    d_k, d_v = len(body["K"][0]), len(body["V"][0])
    both = np.eye(d_k + d_v)
    return rest | {
        "X": body["Q"],
        "context": {"X": [k + v for k, v in zip(body["K"], body["V"], strict=True)]},
        "W_Q": np.eye(len(body["Q"][0])).tolist(),
        "W_K": both[:, :d_k].tolist(),
        "W_V": both[:, d_k:].tolist(),
        "weights_layout": "in_out",
    }


def multihead_forms(case: Body) -> dict[str, Asked]:
    """A case of several heads: packed matrices, and each head's own."""
    inputs, options = case["inputs"], case["options"]
    body: Body = {"X": inputs["X"], "weights_layout": "in_out"}
    body |= {name: inputs[name] for name in ("W_Q", "W_K", "W_V", "W_O") if name in inputs}
    if "W_Q" not in inputs:
        body |= fitting_matrices(len(inputs["X"][0]), options)
    if "X_kv" in inputs:
        body["context"] = {"X": inputs["X_kv"]}
    if options.get("causal"):
        body["mask"] = {"causal": True}
    counts = {name: options[name] for name in ("n_heads", "n_kv_heads")}
    forms = {
        "packed": Asked("multihead", body | counts),
        "columns": Asked("multihead", body | counts | {"orientation": "columns"}, columns=True),
    }
    if options["n_heads"] % options["n_kv_heads"] == 0:
        forms["heads"] = Asked("multihead", heads_apart(body, options, inputs.get("keep_mask")))
    if "W_QKV_columns" in inputs:
        cut = np.split(np.array(inputs["W_QKV_columns"]), 3, axis=1)
        named = {f"W_{letter}": W.tolist() for letter, W in zip("QKV", cut, strict=True)}
        forms["packed_qkv"] = Asked("multihead", body | counts | named)
    if "keep_mask" in inputs:
        # Packed matrices share one mask; a mask for each head needs heads of their own.
        forms = {"heads": forms["heads"]}
    return forms


def fitting_matrices(d_model: int, options: Body) -> Body:
    """Matrices that fit but for the number of heads, so that nothing else is refused."""
    width = d_model // options["n_heads"]
    keys = np.ones((d_model, width * options["n_kv_heads"])).tolist()
    full = np.eye(d_model).tolist()
    return {"W_Q": full, "W_K": keys, "W_V": keys, "W_O": full}


def heads_apart(body: Body, options: Body, masks: list[Any] | None) -> Body:
    """The packed matrices cut into contiguous columns, a head at a time."""
    n, group = options["n_heads"], options["n_heads"] // options["n_kv_heads"]
    parts = {
        name: np.split(np.array(body[name]), n if name in ("W_Q", "W_O") else n // group, axis=axis)
        for name, axis in (("W_Q", 1), ("W_K", 1), ("W_V", 1), ("W_O", 0))
    }
    heads: list[Body] = []
    for i in range(n):
        heads.append({name: parts[name][i].tolist() for name in ("W_Q", "W_O")})
        heads[-1] |= {name: parts[name][i // group].tolist() for name in ("W_K", "W_V")}
        if masks:
            heads[-1]["mask"] = {"keep": masks[i]}
    rest = {name: part for name, part in body.items() if not name.startswith("W_")}
    return rest | {"heads": heads}


def params_request(case: Body) -> Asked:
    """A configuration in our words; what a case leaves out cannot matter to it."""
    options = case["options"]
    ours = {
        "n_ctx": "context",
        "vocab": "vocab_size",
        "tied_embeddings": "tied",
        "shared_embeddings": "tied",
        "final_norms": "final_norm",
        "ffn": "mlp",
        "position": "positions",
    }
    same = ("n_layers", "n_encoder_layers", "n_decoder_layers", "d_model", "n_heads")
    same += ("n_kv_heads", "d_ff", "d_head", "biases", "norm")
    body = {ours.get(name, name): options[name] for name in (*ours, *same) if name in options}
    if "n_decoder_layers" in options:
        body["architecture"] = "encoder_decoder"
    if body.get("positions") == "rope":
        body["positions"] = "rotary"
    if options.get("what") == "score_count":
        assert options["n_q"] == options["n_k"]
        body |= {"context": options["n_q"], "d_model": options["n_heads"], "vocab_size": 1}
    return Asked("params", {"context": 512} | body)


def mask_request(case: Body) -> Asked:
    """A mask over zero scores, or over sizes alone where a table would be too large."""
    options = case["options"]
    mask: Body = {}
    if options["kind"] == "causal" or options.get("causal"):
        mask["causal"] = True
    if "causal_alignment" in options:
        mask["alignment"] = options["causal_alignment"]
    if "window" in options:
        mask["window"] = options["window"]
    if "window_left" in options:
        assert options.get("window_right", options["window_left"]) == options["window_left"]
        mask["window"] = options["window_left"] + 1  # ours counts the token itself
    n_q, n_k = options["n_q"], options["n_k"]
    if options["kind"] == "padding":
        real = [True] * options["length"] + [False] * (n_k - options["length"])
        mask["keep_keys"] = real if options["padding_side"] == "right" else real[::-1]
    if n_q * n_k > 10_000:
        return Asked("mask", {"n_q": n_q, "n_k": n_k, "mask": mask})
    return Asked("mask", {"scores": np.zeros((n_q, n_k)).tolist(), "mask": mask})


def layernorm_request(case: Body) -> Asked:
    """Add & norm; a sublayer that is a matrix is applied here, exactly enough for 1e-12."""
    inputs, options = case["inputs"], case["options"]
    body: Body = {"x": inputs["x"], "norm": options["kind"]}
    body |= {name: options[name] for name in ("eps", "placement") if name in options}
    body |= {name: inputs[name] for name in ("gamma", "beta") if name in inputs}
    if "sublayer_output" in inputs:
        body["delta"] = inputs["sublayer_output"]
    if "sublayer_W" in inputs:
        assert options["placement"] == "post"
        body["delta"] = (np.array(inputs["x"]) @ np.array(inputs["sublayer_W"])).tolist()
    return Asked("layernorm", body)


def speaks_of_positions(case: Body) -> bool:
    options = case["options"]
    return "rope" in options or "positional" in options or options.get("kind") == "alibi"


def positions_forms(case: Body) -> dict[str, Asked]:
    """A case of positions, in both orientations."""
    inputs, options = case["inputs"], case["options"]
    if "rope" in options:
        # The case gives a vector to each of a few positions; ours count on, so others lie between.
        x = np.ones((max(inputs["positions"]) + 1, len(inputs["x"][0])))
        x[inputs["positions"]] = inputs["x"]
        body: Body = {"kind": "rotary", "x": x.tolist(), "pairing": options["rope"]}
    else:
        body = {"kind": options.get("positional", options.get("kind"))}
    body |= {name: options[name] for name in ("base", "n", "d_model", "n_heads") if name in options}
    if body["kind"] == "alibi":
        body["n"] = 1
    columns = body | {"orientation": "columns"}
    return {"rows": Asked("positions", body), "columns": Asked("positions", columns, columns=True)}


def _expected(case: Body) -> Body:
    return case["expected"] if isinstance(case["expected"], dict) else {}
