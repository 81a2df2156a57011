"""Scores, FLOPs and the key-value cache."""

import pytest

from service.engine.params import Configuration, count, count_preset


@pytest.mark.parametrize(
    ("member", "number"),
    [
        ("n", 2048),
        ("n_attentions", 96),
        ("per_head", 4_194_304),
        ("per_layer", 402_653_184),
        ("total", 38_654_705_664),
        ("causal_visible_per_head", 2_098_176),
        ("causal_visible_per_layer", 201_424_896),
        ("causal_visible_total", 19_336_790_016),
        ("bytes_per_head", 8 * 2**20),
        ("bytes_total", 72 * 2**30),
    ],
)
def test_gpt3_has_this_many_scores(member, number):
    assert count_preset("gpt3")["scores"][member] == number


def test_twice_the_context_has_four_times_the_scores():
    assert count_preset("gpt3", context=4096)["scores"]["per_head"] == 16_777_216


def test_a_decoder_over_an_encoder_masks_its_self_attention_alone():
    # n = 3: 9 scores a table, 6 visible; 2 heads; 1 encoder, 2 + 2 decoder attentions.
    pair = Configuration(
        architecture="encoder_decoder",
        n_encoder_layers=1,
        n_decoder_layers=2,
        d_model=4,
        n_heads=2,
        vocab_size=5,
        context=3,
    )
    scores = count(pair)["scores"]
    assert (scores["total"], scores["causal_visible_total"]) == (90, 2 * (2 * 6 + 3 * 9))


def test_an_encoder_sees_every_score():
    scores = count_preset("gpt2", architecture="encoder_only")["scores"]
    assert scores["causal_visible_total"] == scores["total"] == 12 * 12 * 1024 * 1024


@pytest.mark.parametrize(
    ("part", "number"),
    [
        ("n", 2048),
        ("attention_projections", 237_494_511_599_616),
        ("scores", 9_895_604_649_984),
        ("weighted_sum", 9_895_604_649_984),
        ("mlp", 474_989_023_199_232),
        ("logits", 2_529_517_633_536),
        ("total", 734_804_261_732_352),
    ],
)
def test_a_forward_pass_of_gpt3_over_its_context_costs(part, number):
    assert count_preset("gpt3")["flops"][part] == number


def test_a_forward_pass_of_gpt2_over_its_context_costs_291648307200_flop():
    assert count_preset("gpt2")["flops"]["total"] == 291_648_307_200


def test_scores_and_weighted_sum_cost_as_much_as_the_projections_at_twice_the_width():
    flops = count_preset("gpt3", context=2 * 12_288)["flops"]
    assert flops["scores"] + flops["weighted_sum"] == flops["attention_projections"]


def test_a_value_width_of_its_own_changes_the_weighted_sum_alone():
    # 12 layers of 12 heads at n = 1024: 2 n² d a head.
    flops = count_preset("gpt2", d_v=32)["flops"]
    assert (flops["scores"], flops["weighted_sum"]) == (19_327_352_832, 9_663_676_416)


def test_tying_changes_no_flop():
    assert count_preset("gpt2", tied=False)["flops"]["logits"] == 79_047_426_048


@pytest.mark.parametrize(
    ("preset", "per_token", "at_context"),
    [
        ("gpt3", 4_718_592, 9 * 2**30),
        # 2 · 2 bytes · 32 layers · 4096, and 80 layers · 8 heads · 128.
        ("llama2-7b", 524_288, 2 * 2**30),
        ("llama2-70b", 327_680, 327_680 * 4096),
    ],
)
def test_a_model_caches_this_many_bytes(preset, per_token, at_context):
    cache = count_preset(preset)["kv_cache"]
    assert (cache["bytes_per_token"], cache["bytes_at_context"]) == (per_token, at_context)


def test_a_wider_value_takes_more_cache():
    assert count_preset("gpt3", bytes_per_value=4)["kv_cache"]["bytes_per_token"] == 9_437_184


def test_cross_attention_caches_the_source_too():
    # 6 decoder layers · 8 heads · (64 + 64) · 2 bytes for a target and for a source token.
    cache = count_preset("transformer-base", context=10)["kv_cache"]
    assert (cache["bytes_per_token"], cache["bytes_per_source_token"]) == (12_288, 12_288)
    assert cache["bytes_at_context"] == 245_760


def test_a_decoder_alone_has_no_source_to_cache():
    assert count_preset("gpt2")["kv_cache"]["bytes_per_source_token"] == 0


def test_an_encoder_caches_nothing():
    assert count_preset("gpt2", architecture="encoder_only")["kv_cache"]["bytes_at_context"] == 0


def test_the_cache_says_how_many_values_of_how_many_bytes_a_token_takes():
    cache = count_preset("gpt3")["kv_cache"]
    assert (cache["values_per_token"], cache["bytes_per_value"]) == (2_359_296, 2)
