"""The application: what is wired to what."""

import os
from collections.abc import Mapping

from service.api import (
    architecture,
    attention,
    block,
    compare,
    complexity,
    cors,
    examples,
    headers,
    health,
    layernorm,
    mask,
    move,
    multihead,
    openapi_file,
    params,
    positions,
    problems,
    softmax,
)
from service.api.dispatch import Service
from service.api.kept import KeptReplies
from service.api.quiz.operations import OPERATIONS as QUIZ
from service.api.quiz.questions import QuestionConverter
from service.api.quiz.secrets import secrets_of
from service.settings import whole_number

OPERATIONS = (
    attention,
    mask,
    multihead,
    softmax,
    move,
    layernorm,
    block,
    positions,
    compare,
    complexity,
    params,
    architecture,
    *QUIZ,
    examples,
)
MAX_BODY_BYTES = 2 * 1024 * 1024
MAX_BATCH_BYTES = 32 * 1024 * 1024
REPLY_CACHE_BYTES = 8 * 1024 * 1024


def create_app(environment: Mapping[str, str] = os.environ) -> Service:
    """The service as a WSGI application, configured by environment variables.

    MAX_BODY_BYTES: the largest request body; MAX_BATCH_BYTES: of a batch. REPLY_CACHE_BYTES: what
    the replies that are kept may take in each process, 0 to keep none. CORS_ORIGINS: the origins
    that may call it from a browser, with spaces between; any if it is not set. QUIZ_SECRETS,
    TEACHER_CREDENTIALS, ENVIRONMENT: see api/quiz/secrets.py. Raises SettingError for another
    value.
    """
    app = Service("service", static_folder=None)
    app.config["MAX_BODY_BYTES"] = whole_number(environment, "MAX_BODY_BYTES", MAX_BODY_BYTES)
    app.config["MAX_BATCH_BYTES"] = whole_number(environment, "MAX_BATCH_BYTES", MAX_BATCH_BYTES)
    app.config["SECRETS"] = secrets_of(environment)
    room = whole_number(environment, "REPLY_CACHE_BYTES", REPLY_CACHE_BYTES, 0)
    app.kept = KeptReplies(room) if room else None
    # A redirect loses a POST's body in many clients: such a path is simply not there.
    app.url_map.merge_slashes = False
    app.url_map.converters["question"] = QuestionConverter
    for module in OPERATIONS:
        app.register_blueprint(module.bp, url_prefix="/v1")
    app.register_blueprint(health.bp)
    app.register_blueprint(openapi_file.bp)
    problems.register(app)
    app.learn_operations()
    allowed = cors.allowed_origins(environment.get("CORS_ORIGINS", ""))
    app.wsgi_app = headers.with_headers(app.wsgi_app, allowed)  # type: ignore[method-assign, assignment]
    return app
