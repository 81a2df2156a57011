"""PyTorch's answers to the requests of pytorch_bodies.py, in float64.

    python tests/references/pytorch_blocks.py            writes pytorch_blocks.json
    python tests/references/pytorch_blocks.py --check    compares it with PyTorch's answers now

Needs torch 2.13.0; the test that compares the service with the file needs none. Layers are
PyTorch's own; GPT-2 and Llama in small are written here with its functions.
"""

import json
import sys
from pathlib import Path
from typing import Any

import torch
from pytorch_bodies import D_FF, HEADS, Body, D, bodies
from torch import nn
from torch.nn import functional as F

FILE = Path(__file__).with_suffix(".json")
TOLERANCE = 1e-13

Answers = dict[str, Any]
torch.set_default_dtype(torch.float64)


def tensor(rows: Any) -> torch.Tensor:
    return torch.tensor(rows, dtype=torch.float64)


def fill(layer: nn.Module, state: dict[str, Any]) -> None:
    """Give a layer its parameters; every one of them, and no other."""
    layer.load_state_dict({name: tensor(value) for name, value in state.items()}, strict=True)


def attention_state(W: Body, prefix: str = "") -> dict[str, Any]:
    found = {"in_proj_weight": W["W_Q"] + W["W_K"] + W["W_V"], "out_proj.weight": W["W_O"]}
    if "b_Q" in W:
        found["in_proj_bias"] = W["b_Q"] + W["b_K"] + W["b_V"]
        found["out_proj.bias"] = W["b_O"]
    return {f"{prefix}{name}": value for name, value in found.items()}


def norm_state(norm: Body, prefix: str) -> dict[str, Any]:
    return {f"{prefix}.weight": norm["gamma"], f"{prefix}.bias": norm["beta"]}


def layer_of(body: Body, block: Body) -> nn.Module:
    """nn.TransformerEncoderLayer or nn.TransformerDecoderLayer with a block's parameters."""
    decoder = body["kind"] == "decoder"
    kind = nn.TransformerDecoderLayer if decoder else nn.TransformerEncoderLayer
    layer = kind(
        D, HEADS, D_FF, dropout=0.0, activation=body["activation"],
        norm_first=body["placement"] == "pre", batch_first=True,
    )  # fmt: skip
    state = attention_state(block, "self_attn.")
    state |= {"linear1.weight": block["W_up"], "linear1.bias": block["b_up"]}
    state |= {"linear2.weight": block["W_down"], "linear2.bias": block["b_down"]}
    state |= norm_state(block["norms"]["attention"], "norm1")
    state |= norm_state(block["norms"]["mlp"], "norm3" if decoder else "norm2")
    if decoder:
        state |= attention_state(block["cross"], "multihead_attn.")
        state |= norm_state(block["norms"]["cross"], "norm2")
    fill(layer, state)
    return layer


def hidden(n: int, mask: Body) -> torch.Tensor | None:
    """PyTorch's mask for `causal`: true is hidden."""
    return torch.ones(n, n, dtype=torch.bool).triu(1) if mask.get("causal") else None


def padded(mask: Body) -> torch.Tensor | None:
    return ~torch.tensor([mask["keep_keys"]]) if "keep_keys" in mask else None


def layers(body: Body) -> Answers:
    """PyTorch's layers in a row."""
    x, mask, answers = tensor([body["X"]]), body.get("mask", {}), {}
    for i, block in enumerate(body["blocks"]):
        layer = layer_of(body, block)
        if body["kind"] == "encoder":
            x = layer(x, hidden(x.shape[1], mask), padded(mask))
        else:
            memory = tensor([body["context"]["X"]])
            over = padded(block["cross"].get("mask", {}))
            x = layer(x, memory, hidden(x.shape[1], mask), None, padded(mask), over)
        last = "add_norm_mlp" if body["placement"] == "post" else "add_mlp"
        answers[f"blocks/{i}/{last}/output"] = x[0]
    if "final_norm" in body:
        answers["final_norm/output"] = normed(body, body["final_norm"], x[0])
    return answers


def attention(body: Body) -> Answers:
    """nn.MultiheadAttention: its output, and the weights of every head."""
    x, mask = tensor([body["X"]]), body.get("mask", {})
    source = tensor([body["context"]["X"]]) if "context" in body else x
    width = source.shape[2]
    layer = nn.MultiheadAttention(D, HEADS, bias=False, batch_first=True, kdim=width, vdim=width)
    state = attention_state(body)
    if width != D:  # then PyTorch keeps the three apart
        del state["in_proj_weight"]
        state |= {f"{x}_proj_weight": body[f"W_{x.upper()}"] for x in "qkv"}
    fill(layer, state)
    output, weights = layer(
        x, source, source, padded(mask), True, hidden(x.shape[1], mask), average_attn_weights=False
    )
    return {"combined/update": output[0]} | {
        f"heads/{i}/weights": head for i, head in enumerate(weights[0])
    }


def normed(body: Body, norm: Body, x: torch.Tensor) -> torch.Tensor:
    eps, gamma = body.get("eps", 1e-5), tensor(norm["gamma"])
    if body.get("norm") == "rms":
        return F.rms_norm(x, (D,), gamma, eps)
    return F.layer_norm(x, (D,), gamma, tensor(norm["beta"]), eps)


def linear(x: torch.Tensor, of: Body, name: str) -> torch.Tensor:
    bias = of.get(f"b_{name}")
    return F.linear(x, tensor(of[f"W_{name}"]), None if bias is None else tensor(bias))


def language_model(body: Body) -> Answers:
    """Pre-norm blocks of causal attention and MLP, from tokens to probabilities: GPT-2, Llama."""
    E, ids, answers = tensor(body["embedding"]), torch.tensor(body["token_ids"]), {}
    x = F.embedding(ids, E)
    if "position_embedding" in body:
        x = x + tensor(body["position_embedding"])[: len(ids)]
    answers["embedding/X"] = x
    for i, block in enumerate(body["blocks"]):
        z = normed(body, block["norms"]["attention"], x)
        q, k, v = (
            linear(z, block, letter).unflatten(1, (-1, D // HEADS)).transpose(0, 1)
            for letter in "QKV"
        )
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + linear(heads.transpose(0, 1).flatten(1), block, "O")
        answers[f"blocks/{i}/add_attention/output"] = x
        z = normed(body, block["norms"]["mlp"], x)
        if body.get("activation") == "swiglu":
            z = F.silu(linear(z, block, "gate")) * linear(z, block, "up")
        else:
            z = F.gelu(linear(z, block, "up"), approximate="tanh")
        x = x + linear(z, block, "down")
        answers[f"blocks/{i}/add_mlp/output"] = x
    x = normed(body, body["final_norm"], x)
    logits = F.linear(x, tensor(body.get("unembedding", body["embedding"])))
    return answers | {
        "final_norm/output": x,
        "unembedding/logits": logits,
        "unembedding/probabilities": logits.softmax(-1),
    }


def answers(name: str, body: Body) -> Answers:
    if name.startswith("attention"):
        return attention(body)
    return language_model(body) if "token_ids" in body else layers(body)


def computed() -> dict[str, Any]:
    """Every request with PyTorch's answers."""
    with torch.no_grad():
        return {
            name: {"body": body, "answers": {k: v.tolist() for k, v in answers(name, body).items()}}
            for name, body in bodies().items()
        }


def check(known: dict[str, Any], now: dict[str, Any]) -> None:
    """Raise unless the file holds the same requests, and PyTorch says the same of them."""
    assert known.keys() == now.keys(), "there are other requests: write the file again"
    for name, case in now.items():
        assert known[name]["body"] == case["body"], f"{name}: another request"
        for place, value in case["answers"].items():
            there = tensor(known[name]["answers"][place])
            torch.testing.assert_close(
                there, tensor(value), rtol=0, atol=TOLERANCE, msg=f"{name}: {place} differs"
            )


def main() -> None:
    if "--check" in sys.argv:
        check(json.loads(FILE.read_text()), computed())
        print(f"PyTorch {torch.__version__} gives the answers of {FILE.name}")
    else:
        FILE.write_text(json.dumps(computed(), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
