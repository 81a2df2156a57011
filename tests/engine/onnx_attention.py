"""An attention case of onnx put to our heads, one by one."""

from typing import Any, NamedTuple

import numpy as np
from onnx_cases import attributes, cases_of, inputs

from service.engine.blocks import whole
from service.engine.mask import Mask
from service.engine.one_head import attention
from service.engine.trace import find

CASES = cases_of("attention", "Attention")

# What the reference can be asked to expose. With a soft cap, mode 0 is capped there too.
EXPOSED = {0: "scaled", 1: "scaled", 2: "masked", 3: "weights"}


class Heads(NamedTuple):
    """Queries, keys and values as batch × heads × tokens × width, keys of the past included."""

    Q: Any
    K: Any
    V: Any


def heads_of(given: dict[str, Any], said: dict[str, Any]) -> Heads:
    Q, K, V = (given[name] for name in ("Q", "K", "V"))
    if Q.ndim == 3:
        Q = split(Q, said["q_num_heads"])
        K, V = split(K, said["kv_num_heads"]), split(V, said["kv_num_heads"])
    if "past_key" in given:
        K = np.concatenate([given["past_key"], K], axis=2)
        V = np.concatenate([given["past_value"], V], axis=2)
    return Heads(Q, K, V)


def split(x: Any, n_heads: int) -> Any:
    return np.stack(np.split(x, n_heads, axis=-1), axis=1)


def parts_of_mask(given: dict[str, Any], shape: tuple[int, ...]) -> dict[str, Any]:
    """keep or bias for each batch and head; what the mask is too short for is hidden."""
    if "attn_mask" not in given:
        return {}
    part = given["attn_mask"]
    name, nothing = ("keep", False) if part.dtype == np.bool_ else ("bias", -np.inf)
    missing = [(0, 0)] * (part.ndim - 1) + [(0, shape[-1] - part.shape[-1])]
    part = np.pad(part, missing, constant_values=nothing)
    return {name: np.broadcast_to(part, shape)}


def band(n_q: int, n_k: int, said: dict[str, Any], offset: int) -> dict[str, Any]:
    """causal and window in our words where they have words for it, else a table."""
    causal = bool(said.get("is_causal"))
    left, right = said.get("left_window_size", -1), said.get("right_window_size", -1)
    aligned = {0: "upper_left", n_k - n_q: "lower_right"}.get(offset)
    plain = left == right == -1
    if aligned and (plain or (causal and right == -1)):
        window = None if plain else left + 1
        return {"causal": causal, "alignment": aligned, "window": window}
    table = np.ones((n_q, n_k), dtype=np.bool_)
    for i in range(n_q):
        for j in range(n_k):
            back = i + offset - j
            hidden = (causal and back < 0) or (0 <= left < back) or (0 <= right < -back)
            table[i, j] = not hidden
    return {"keep": table}


def scale_of(said: dict[str, Any]) -> float | None:
    """The reference multiplies Q and K by √scale each, and holds that root as a float32."""
    return float(np.sqrt(np.float32(said["scale"]))) ** 2 if "scale" in said else None


def traces(case: Any, padding: str) -> dict[tuple[int, int], Any]:
    """Our steps for each batch and head, padded keys `hidden` by the mask or `cut` off."""
    given, said = inputs(case), attributes(case)
    Q, K, V = heads_of(given, said)
    (n_batch, n_heads, n_q, _), n_k = Q.shape, K.shape[2]
    part = parts_of_mask(given, (n_batch, n_heads, n_q, n_k))
    real = given.get("nonpad_kv_seqlen", np.full(n_batch, n_k))
    offsets = np.full(n_batch, given["past_key"].shape[2] if "past_key" in given else 0)
    if "nonpad_kv_seqlen" in given:
        offsets = real - n_q
    found = {}
    for b in range(n_batch):
        n = int(real[b]) if padding == "cut" else n_k
        for h in range(n_heads):
            kv = h // (n_heads // K.shape[1])
            mask = band(n_q, n, said, int(offsets[b]))
            for name, table in part.items():
                own = table[b, h, :, :n]
                mask[name] = own & mask[name] if name in mask else own
            mask["keep_keys"] = (np.arange(n) < real[b])[None]
            trace = attention(
                Q=Q[b, h],
                K=K[b, kv, :n],
                V=V[b, kv, :n],
                mask=Mask(**mask),
                scale=scale_of(said),
                softcap=said.get("softcap") or None,
            )
            found[b, h] = trace
    return found


def stacked(found: dict[tuple[int, int], Any], name: str) -> Any:
    """One step of all batches and heads as batch × heads × rows × columns."""
    n_batch, n_heads = (1 + max(index) for index in zip(*found, strict=True))
    return np.array(
        [
            [whole(find(found[b, h].steps, name).value) for h in range(n_heads)]
            for b in range(n_batch)
        ]
    )


def compared(case: Any, padding: str) -> dict[str, Any]:
    """Our numbers for each output that the case has."""
    said, found = attributes(case), traces(case, padding)
    Y = stacked(found, "head")
    if case.data_sets[0][0][0].ndim == 3:
        Y = np.concatenate(np.moveaxis(Y, 1, 0), axis=-1)
    numbers = {"Y": Y}
    node = case.model.graph.node[0]
    if "qk_matmul_output" in node.output:
        mode = said.get("qk_matmul_output_mode", 0)
        step = "capped" if mode < 2 and said.get("softcap") else EXPOSED[mode]
        numbers["qk_matmul_output"] = stacked(found, step)
    return numbers


def own_outputs(found: dict[str, Any]) -> dict[str, Any]:
    # What is present after a step is the cache, which a stateless service leaves to its caller.
    return {name: a for name, a in found.items() if not name.startswith("present_")}


def paddings(case: Any) -> tuple[str, ...]:
    """The ways in which a case can be put: padded keys can be hidden, or cut off before."""
    return ("hidden", "cut") if "nonpad_kv_seqlen" in inputs(case) else ("hidden",)
