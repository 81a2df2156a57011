"""CPU time of small requests, beside a Flask endpoint that returns constant bytes.

    python -m bench.small            in process, every demo of the lecture, and models of one's own
    python -m bench.small --http     through gunicorn as well, the calculator

Both are called in turn, in one run, with the same environ and the same size of reply; the figure
is the median over the rounds of the ratio of process time. No reply is kept, so that each is
computed; what one costs that is asked for again, as the demos of a class are, stands at the end.
"""

import statistics
import sys

import orjson

from bench.calls import ENVIRONMENT, KEEPING, caller, process_time
from bench.constant import create_app as create_constant
from bench.server import Server
from service.app import create_app
from service.schemas.example import Demo
from service.schemas.lecture.demos import DEMOS

# Presets are written once; a model that is none has to be counted.
OWN_MODELS = (
    Demo(
        "own-model",
        "A decoder, by its sizes alone",
        "/v1/params",
        {"d_model": 768, "n_layers": 12, "n_heads": 12, "vocab_size": 50257, "context": 1024},
    ),
    Demo(
        "own-model-in-full",
        "An encoder and a decoder with all that a model may have",
        "/v1/params",
        {
            "architecture": "encoder_decoder", "d_model": 512, "n_layers": 6,
            "n_encoder_layers": 5, "n_decoder_layers": 7, "n_heads": 8, "n_kv_heads": 4,
            "d_head": 48, "d_v": 32, "d_ff": 2000, "vocab_size": 1000, "context": 100,
            "tied": False, "biases": True, "attention_biases": True, "mlp_biases": True,
            "norm": "layer", "norm_beta": True, "final_norm": True, "positions": "learned",
            "mlp": "gated", "bytes_per_value": 4,
        },
    ),
)  # fmt: skip

ROUNDS, CALLS = 15, 400
HTTP_ROUNDS, HTTP_CALLS = 7, 1500


def in_process(demo: Demo) -> tuple[float, float, float, float]:
    """Ours, the constant reply, the median ratio, and that of a reply asked for again."""
    body = orjson.dumps(demo.body)
    ours = caller(create_app(ENVIRONMENT), demo.path, body)
    size = len(ours())
    constant = caller(create_constant(size), demo.path, body)
    again = caller(create_app(KEEPING), demo.path, body)
    rounds = [
        [process_time(call, CALLS) for call in (ours, constant, again)] for _ in range(ROUNDS)
    ]
    mine, theirs, _ = (statistics.median(column) for column in zip(*rounds, strict=True))
    return (
        mine,
        theirs,
        statistics.median(a / b for a, b, _ in rounds),
        statistics.median(c / b for _, b, c in rounds),
    )


def through_gunicorn(demo: Demo) -> tuple[float, float, float]:
    """Ours, the constant reply, and the median ratio, of the CPU time of the server's processes."""
    body = orjson.dumps(demo.body)
    size = len(caller(create_app(ENVIRONMENT), demo.path, body)())
    with (
        Server("service.app:create_app()") as ours,
        Server("bench.constant:create_app()", BENCH_BYTES=str(size)) as constant,
    ):
        for server in (ours, constant):
            server.microseconds(demo.path, body, 300)
        pairs = [
            (
                ours.microseconds(demo.path, body, HTTP_CALLS),
                constant.microseconds(demo.path, body, HTTP_CALLS),
            )
            for _ in range(HTTP_ROUNDS)
        ]
    mine, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    return mine, theirs, statistics.median(a / b for a, b in pairs)


def main() -> None:
    row = "{:24} {:>9} {:>9} {:>7} {:>7}"
    print(row.format("in process", "ours µs", "const µs", "ratio", "again"))
    for demo in (*DEMOS, *OWN_MODELS):
        if "draws" in demo.body:
            continue  # millions of random numbers are no small request
        ours, constant, *ratios = in_process(demo)
        figures = (f"{ours:.0f}", f"{constant:.0f}", *(f"{ratio:.2f}" for ratio in ratios))
        print(row.format(demo.id, *figures), flush=True)
    if "--http" in sys.argv:
        print(row.format("through gunicorn", "ours µs", "const µs", "ratio", ""))
        ours, constant, ratio = through_gunicorn(DEMOS[0])
        print(row.format(DEMOS[0].id, f"{ours:.0f}", f"{constant:.0f}", f"{ratio:.2f}", ""))


if __name__ == "__main__":
    main()
