"""Configurations that papers print, and the number of parameters printed beside them.

A printed number is never an input: it stands beside the computed one, whether they agree or not.
"""

from dataclasses import dataclass

from service.engine.params.configuration import Configuration


@dataclass(frozen=True)
class Published:
    value: int
    text: str
    source: str
    remark: str


@dataclass(frozen=True)
class Preset:
    configuration: Configuration
    published: Published


BASE = Configuration(
    architecture="encoder_decoder",
    n_layers=6,
    d_model=512,
    n_heads=8,
    d_ff=2048,
    vocab_size=37_000,
    context=512,
    biases=False,
    mlp_biases=True,
    final_norm=False,
    positions="sinusoidal",
)
BIG = BASE._replace(d_model=1024, n_heads=16, d_ff=4096)

LLAMA2_7B = Configuration(
    n_layers=32,
    d_model=4096,
    n_heads=32,
    d_ff=11_008,
    vocab_size=32_000,
    context=4096,
    tied=False,
    biases=False,
    norm="rms",
    positions="rotary",
    mlp="gated",
)
LLAMA2_70B = LLAMA2_7B._replace(n_layers=80, d_model=8192, n_heads=64, n_kv_heads=8, d_ff=28_672)


def _transformer(configuration: Configuration, value: int, text: str) -> Preset:
    remark = (
        "The paper gives about 37000 for the shared vocabulary; the preset takes exactly that. It "
        "gives no context length; the preset's 512 changes the costs, not the parameters."
    )
    return Preset(configuration, Published(value, text, "Vaswani et al. 2017, Table 3", remark))


def _gpt2(n_layers: int, d_model: int, n_heads: int, millions: int, corrected: str) -> Preset:
    remark = (
        f"The paper prints {millions}M; its authors later corrected their counts, and the "
        f"released model is called {corrected}."
    )
    return Preset(
        Configuration(
            n_layers=n_layers, d_model=d_model, n_heads=n_heads, vocab_size=50_257, context=1024
        ),
        Published(millions * 10**6, f"{millions}M", "Radford et al. 2019, Table 2", remark),
    )


def _gpt3(
    n_layers: int, d_model: int, n_heads: int, value: int, text: str, d_head: int | None = None
) -> Preset:
    remark = (
        "Ties, biases, norms and vocabulary are GPT-2's, whose architecture the paper says it "
        "keeps. Its locally banded sparse attention is counted as dense."
    )
    return Preset(
        Configuration(
            n_layers=n_layers,
            d_model=d_model,
            n_heads=n_heads,
            d_head=d_head,
            vocab_size=50_257,
            context=2048,
        ),
        Published(value, text, "Brown et al. 2020, Table 2.1", remark),
    )


def _llama2(configuration: Configuration, value: int, text: str) -> Preset:
    remark = "The sizes are those of the released model."
    source = "Touvron et al. 2023 (Llama 2), Table 1"
    return Preset(configuration, Published(value, text, source, remark))


PRESETS: dict[str, Preset] = {
    "transformer-base": _transformer(BASE, 65_000_000, "65M"),
    "transformer-big": _transformer(BIG, 213_000_000, "213M"),
    "gpt2": _gpt2(12, 768, 12, 117, "124M"),
    "gpt2-medium": _gpt2(24, 1024, 16, 345, "355M"),
    "gpt2-large": _gpt2(36, 1280, 20, 762, "774M"),
    "gpt2-xl": _gpt2(48, 1600, 25, 1542, "1558M"),
    "gpt3-small": _gpt3(12, 768, 12, 125_000_000, "125M"),
    "gpt3-medium": _gpt3(24, 1024, 16, 350_000_000, "350M"),
    "gpt3-large": _gpt3(24, 1536, 16, 760_000_000, "760M"),
    # Two rows of the table print heads of 128 that do not add up to d_model; kept as printed.
    "gpt3-xl": _gpt3(24, 2048, 24, 1_300_000_000, "1.3B", d_head=128),
    "gpt3-2.7b": _gpt3(32, 2560, 32, 2_700_000_000, "2.7B"),
    "gpt3-6.7b": _gpt3(32, 4096, 32, 6_700_000_000, "6.7B"),
    "gpt3-13b": _gpt3(40, 5140, 40, 13_000_000_000, "13.0B", d_head=128),
    "gpt3": _gpt3(96, 12_288, 96, 175_000_000_000, "175.0B"),
    "llama2-7b": _llama2(LLAMA2_7B, 7_000_000_000, "7B"),
    "llama2-70b": _llama2(LLAMA2_70B, 70_000_000_000, "70B"),
}
