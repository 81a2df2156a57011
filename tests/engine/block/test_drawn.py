"""What a seed gives: the same on every machine, and the same once it is posted back."""

from statistics import NormalDist

import numpy as np
import pytest

from service.engine.block.drawn import draw
from service.engine.normals import Normals

SIZES = {"n_layers": 2, "n_heads": 2, "d_model": 8, "vocab_size": 5, "n_tokens": 3}
KINDS = {
    "gpt": SIZES,
    "sinusoidal": SIZES | {"sinusoidal": {}},
    "swiglu": SIZES | {"activation": "swiglu", "norm": "rms", "n_kv_heads": 1, "d_ff": 6},
    "in_out": SIZES | {"weights_layout": "in_out", "d_ff": 6, "n_kv_heads": 1},
    "encoder": {"kind": "encoder", "n_heads": 2, "d_model": 4, "tokens": ["a", "b"]},
    "decoder": {
        "kind": "decoder",
        "n_heads": 2,
        "d_model": 4,
        "n_tokens": 3,
        "context": {"X": [[1, 2, 3], [0, -1, 0.5]]},
    },
    "vocabulary": {"vocabulary": ["a", "b", "c"], "token_ids": [0, 2], "n_heads": 1, "d_model": 4},
}
OF_A_SEED = ("n_layers", "d_model", "d_ff", "vocab_size", "n_tokens")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_drawn_can_be_posted_back(kind, ask):
    body = KINDS[kind]
    first = ask("block", body | {"seed": 7})
    drawn = first.pop("drawn")
    kept = {name: value for name, value in body.items() if name not in OF_A_SEED}
    assert ask("block", kept | drawn) == first


def test_another_seed_draws_other_numbers(ask):
    one, other = (ask("block", SIZES | {"seed": seed})["drawn"] for seed in (1, 2))
    assert one["embedding"] != other["embedding"]
    assert one["blocks"][0]["W_Q"] != other["blocks"][0]["W_Q"]


def test_a_block_does_not_depend_on_how_many_there_are():
    few, many = (draw(1, **SIZES | {"n_layers": n})["blocks"] for n in (1, 3))
    assert few[0]["W_down"].tolist() == many[0]["W_down"].tolist()
    assert many[0]["W_Q"].tolist() != many[1]["W_Q"].tolist()


def test_numbers_are_normal_ones_to_three_decimals():
    # The first block has stream 4, and W_Q comes first; 1/√4 is the deviation.
    W_Q = draw(1, **SIZES | {"d_model": 4})["blocks"][0]["W_Q"]
    shares = Normals(1, 4).uniforms(16)
    expected = [round(NormalDist(0, 0.5).inv_cdf(share), 3) for share in shares.tolist()]
    assert W_Q.ravel().tolist() == expected


def test_token_ids_are_shares_of_the_vocabulary():
    drawn = draw(3, **SIZES | {"n_tokens": 50})["token_ids"]
    assert drawn == [int(5 * share) for share in Normals(3, 3).uniforms(50).tolist()]
    assert set(drawn) == {0, 1, 2, 3, 4}


def test_weights_have_a_deviation_of_1_by_the_root_of_their_inputs():
    block = draw(1, n_heads=4, d_model=64, d_ff=256, n_tokens=2)["blocks"][0]
    for name, d_in in (("W_Q", 64), ("W_up", 64), ("W_down", 256)):
        assert abs(np.std(block[name]) * np.sqrt(d_in) - 1) < 0.05, name


def test_a_norm_is_drawn_after_the_last_block_where_the_others_stand_before():
    assert draw(1, **SIZES)["final_norm"] == {}
    assert "final_norm" not in draw(1, **SIZES, placement="post")
    assert "final_norm" not in draw(1, **SIZES, kind="encoder")


def test_nothing_is_drawn_where_all_is_sent():
    assert draw(1, X=np.ones((2, 4)), blocks=[{}], kind="encoder") == {}


@pytest.mark.parametrize("positions", ["sinusoidal", "rotary", "alibi", "position_embedding"])
def test_positions_that_are_sent_are_not_drawn_too(positions):
    assert "position_embedding" not in draw(1, **SIZES, **{positions: {}})
