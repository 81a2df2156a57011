"""Presets against released models, hand sums and printed numbers."""

import pytest

from service.engine.params import PRESETS, Configuration, count, count_preset

# Everything off that GPT-3's 12 L d² + 2 V d leaves out.
BARE = {"tied": False, "biases": False, "norm": "none", "positions": "none"}
ALL_BIASES = {"attention_biases": True}
WEIGHTS_ONLY = {"mlp_biases": False, "norm": "none"}


def total(preset, **switches):
    return count_preset(preset, **switches)["totals"]["total"]


@pytest.mark.parametrize(
    ("preset", "parameters"),
    [
        # Released checkpoints, parameter by parameter.
        ("gpt2", 124_439_808),
        ("gpt2-medium", 354_823_168),
        ("gpt2-large", 774_030_080),
        ("gpt2-xl", 1_557_611_200),
        ("llama2-7b", 6_738_415_616),
        ("llama2-70b", 68_976_648_192),
        # By formula: (V + n) d + L (12 d² + 13 d) + 2 d.
        ("gpt3-small", 125_226_240),
        ("gpt3-medium", 355_871_744),
        ("gpt3-large", 760_300_032),
        ("gpt3-2.7b", 2_651_553_280),
        ("gpt3-6.7b", 6_658_404_352),
        ("gpt3", 174_604_259_328),
        # h · d_head stated, and not d_model.
        ("gpt3-xl", 1_517_123_584),
        ("gpt3-13b", 12_936_488_380),
        # Feed-forward biases and norms, no others.
        ("transformer-base", 63_045_632),
        ("transformer-big", 214_171_648),
    ],
)
def test_a_preset_has_this_many_parameters(preset, parameters):
    assert total(preset) == parameters


def test_these_presets_exist():
    assert sorted(PRESETS) == [
        *("gpt2", "gpt2-large", "gpt2-medium", "gpt2-xl"),
        *("gpt3", "gpt3-13b", "gpt3-2.7b", "gpt3-6.7b"),
        *("gpt3-large", "gpt3-medium", "gpt3-small", "gpt3-xl"),
        *("llama2-70b", "llama2-7b", "transformer-base", "transformer-big"),
    ]


@pytest.mark.parametrize(
    ("preset", "switches", "parameters"),
    [
        pytest.param("gpt3", BARE, 175_181_291_520, id="gpt3: 12 L d² + 2 V d"),
        pytest.param("gpt3", BARE | {"tied": True}, 174_563_733_504, id="gpt3: 12 L d² + V d"),
        pytest.param("gpt3", {"tied": False}, 175_221_817_344, id="gpt3: everything, untied"),
        pytest.param(
            "gpt3", {"biases": False, "norm": "none"}, 174_588_899_328, id="gpt3: weights alone"
        ),
        pytest.param("gpt3", {"context": 1024}, 174_591_676_416, id="gpt3: 1024 positions"),
        pytest.param(
            "gpt3-xl", {"n_heads": 16}, 1_315_723_264, id="gpt3-xl: heads that fill d_model"
        ),
        pytest.param("gpt2", {"tied": False}, 163_037_184, id="gpt2: untied"),
        pytest.param(
            "gpt2", {"biases": False, "norm_beta": False}, 124_337_664, id="gpt2: no b, no beta"
        ),
        pytest.param("gpt2", {"biases": False}, 124_356_864, id="gpt2: no b, LayerNorm kept"),
        pytest.param("gpt2", {"norm": "rms"}, 124_420_608, id="gpt2: RMSNorm"),
        pytest.param("transformer-base", WEIGHTS_ONLY, 62_984_192, id="base: weights alone"),
        pytest.param("transformer-big", WEIGHTS_ONLY, 214_048_768, id="big: weights alone"),
        pytest.param("transformer-base", ALL_BIASES, 63_082_496, id="base: all biases"),
        pytest.param(
            "transformer-base",
            ALL_BIASES | {"final_norm": True},
            63_084_544,
            id="base: all biases, two final norms",
        ),
        pytest.param(
            "transformer-big",
            ALL_BIASES | {"final_norm": True},
            214_249_472,
            id="big: all biases, two final norms",
        ),
        pytest.param(
            "transformer-base", ALL_BIASES | {"tied": False}, 100_970_496, id="base: three tables"
        ),
    ],
)
def test_a_switch_changes_a_preset_to_this_many_parameters(preset, switches, parameters):
    assert total(preset, **switches) == parameters


@pytest.mark.parametrize(
    ("preset", "value", "text"),
    [
        ("transformer-base", 65_000_000, "65M"),
        ("transformer-big", 213_000_000, "213M"),
        ("gpt2", 117_000_000, "117M"),
        ("gpt2-medium", 345_000_000, "345M"),
        ("gpt2-large", 762_000_000, "762M"),
        ("gpt2-xl", 1_542_000_000, "1542M"),
        ("gpt3-small", 125_000_000, "125M"),
        ("gpt3-medium", 350_000_000, "350M"),
        ("gpt3-large", 760_000_000, "760M"),
        ("gpt3-xl", 1_300_000_000, "1.3B"),
        ("gpt3-2.7b", 2_700_000_000, "2.7B"),
        ("gpt3-6.7b", 6_700_000_000, "6.7B"),
        ("gpt3-13b", 13_000_000_000, "13.0B"),
        ("gpt3", 175_000_000_000, "175.0B"),
        ("llama2-7b", 7_000_000_000, "7B"),
        ("llama2-70b", 70_000_000_000, "70B"),
    ],
)
def test_the_printed_number_stands_beside_the_computed_one(preset, value, text):
    published = count_preset(preset)["published"]
    assert (published["value"], published["text"]) == (value, text)


def test_the_printed_number_stays_when_a_switch_moves_the_computed_one():
    assert count_preset("gpt3", n_layers=1)["published"]["value"] == 175_000_000_000


def test_a_printed_number_names_its_source():
    assert count_preset("gpt3")["published"]["source"] == "Brown et al. 2020, Table 2.1"


def test_a_configuration_of_ones_own_has_no_printed_number():
    own = Configuration(d_model=4, n_layers=1, n_heads=2, vocab_size=3, context=2)
    assert count(own)["published"] is None


@pytest.mark.parametrize(
    ("switches", "printed_difference"),
    [
        # Vaswani et al. 2017, Table 3: the row's millions less the base model's 65. The
        # vocabulary drops out of these, because d_model stays.
        ({"n_layers": 2}, 36 - 65),
        ({"n_layers": 4}, 50 - 65),
        ({"n_layers": 8}, 80 - 65),
        ({"d_ff": 1024}, 53 - 65),
        ({"d_ff": 4096}, 90 - 65),
        ({"d_head": 16, "d_v": 64}, 58 - 65),
        ({"d_head": 32, "d_v": 64}, 60 - 65),
    ],
)
def test_a_row_of_table_3_differs_from_the_base_as_printed(switches, printed_difference):
    difference = (total("transformer-base", **switches) - total("transformer-base")) / 10**6
    # Two numbers rounded to a million each are off by at most one together.
    assert abs(difference - printed_difference) < 1


def test_six_layer_pairs_of_the_base_model_hold_44_million_weights():
    eight, two = (count_preset("transformer-base", n_layers=n)["totals"]["weights"] for n in (8, 2))
    assert eight - two == 44_040_192
