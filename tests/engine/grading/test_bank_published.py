"""Published numbers, and slips worked out by hand, beside the variants without a seed."""

import pytest
from asked import key

from service.engine.grading.bank.whole import BANK


@pytest.mark.parametrize(
    ("id", "due"),
    [
        ("matrix-weights", 1_572_864),
        ("attention-weights", 57_982_058_496),
        ("value-factors", 48),
        ("mlp-weights", 1_207_959_552 + 49_152 + 12_288),
        ("decoder-layer-weights", 4_194_304),
        ("all-scores", 38_654_705_664),
        ("cache-bytes", 4_718_592),
        ("steps-apart", 99),
    ],
)
def test_without_a_seed_the_numbers_are_the_lectures(id, due):
    assert key(id, None) == due


def test_a_third_of_gpt3_is_attention():
    assert round(float(key("attention-share", None)), 4) == 0.3313
    assert key("layer-formula", None) == "12*d^2"
    assert key("work-formula", None) == "n^2*d"


@pytest.mark.parametrize(
    ("id", "code", "answer"),
    [
        ("matrix-weights", "sides_added", 12_416),
        ("attention-weights", "one_head_only", 6_291_456),
        ("attention-weights", "one_layer_only", 603_979_776),
        ("attention-weights", "output_matrix_not_counted", 43_486_543_872),
        ("attention-weights", "biases_counted", 57_982_058_496 + 96 * 4 * 12_288),
        ("value-factors", "one_factor_only", 96),
        ("mlp-weights", "biases_forgotten", 1_207_959_552),
        ("mlp-weights", "third_matrix_counted", 3 * 603_979_776 + 2 * 49_152 + 12_288),
        ("decoder-layer-weights", "cross_attention_forgotten", 3_145_728),
        ("decoder-layer-weights", "mlp_forgotten", 2_097_152),
        ("decoder-layer-weights", "heads_not_sharing", 16_777_216 + 2_097_152),
        ("decoder-hidden", "cross_attention_masked", 15 + 8 + 7 + 6 + 5 + 4 + 3),
        ("all-scores", "one_head_only", 4_194_304),
        ("cache-bytes", "queries_kept", 7_077_888),
        ("cache-bytes", "one_layer_only", 49_152),
        ("layers-to-meet", "contiguous_kernels", 34),
        ("work-ratio", "neighbours_alone", 32),
    ],
)
def test_a_slip_by_hand_is_the_one_of_its_code(id, code, answer):
    found = {one.code: one.key for one in BANK[id](None).task.misconceptions()}
    assert found[code] == answer
