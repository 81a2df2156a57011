"""The floor: a Flask endpoint that returns constant bytes. BENCH_BYTES says how many."""

import os

from flask import Flask, Response


def create_app(size: int | None = None) -> Flask:
    """A plain Flask application whose every POST gets the same bytes."""
    body = b"x" * (int(os.environ["BENCH_BYTES"]) if size is None else size)
    app = Flask("constant")

    @app.post("/<path:path>")
    def constant(path: str) -> Response:
        return Response(body, content_type="application/json")

    return app
