"""Tokens that stand for a question and its variant, so that a browser learns neither seed nor key.

A token is Fernet's (AES-128-CBC, HMAC-SHA256) of what it is for, the question's id, the seed, when
it expires, whose it is if that was said, and who drew it. What Fernet leaves in the clear is when
the token was made.
"""

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Literal, NamedTuple

import orjson
from cryptography.fernet import InvalidToken, MultiFernet
from werkzeug.exceptions import ServiceUnavailable

from service.engine.errors import EngineError

LONGEST = 2_048
# Shown to no one; a token of another version, or made with these keys for something else, is void.
_PURPOSE = "attention-service quiz 2"
# The length of a token must not tell how many digits a seed has.
_MULTIPLE = 64

DrawnBy = Literal["teacher", "anyone"]

NOT_VALID = "This token is not valid here: ask for the question again."
_EXPIRED = "This token has expired: ask for the question again."
NO_KEYS = (
    "This service has no key for tokens: its operator sets QUIZ_SECRETS. Answers to questions by id"
    " are graded without one."
)


class Sealed(NamedTuple):
    """What a token holds.

    expires: in seconds since 1970. learner: whose it is; "" for anyone. drawn_by: whether a
    teacher's credential came with the request that drew it.
    """

    question: str
    seed: int
    expires: int
    learner: str = ""
    drawn_by: DrawnBy = "anyone"


class Tokens:
    """Makes and opens tokens. keys: the first encrypts, all decrypt; None: there are none."""

    def __init__(self, keys: MultiFernet | None, now: Callable[[], float] = time.time) -> None:
        self.keys, self.now = keys, now

    def seal(self, sealed: Sealed) -> str:
        """The token; each time another one."""
        text = orjson.dumps((_PURPOSE, *sealed._replace(seed=0), f"{sealed.seed:014x}"))
        return self._keys().encrypt(text + b" " * (-len(text) % _MULTIPLE)).decode()

    def open(self, token: str, learner: str = "") -> Sealed:
        """What the token holds.

        Raises EngineError on "token" if it is not ours, not this learner's or expired. Only of its
        own tokens does the service say that they have expired.
        """
        sealed = self._opened(token)
        if sealed is None or sealed.learner != learner:
            raise EngineError("token", NOT_VALID)
        if sealed.expires <= self.now():
            raise EngineError("token", _EXPIRED)
        return sealed

    def _opened(self, token: str) -> Sealed | None:
        keys = self._keys()
        if len(token) > LONGEST or not _is_canonical(token):
            return None
        try:
            purpose, question, _, *more, seed = orjson.loads(keys.decrypt(token))
            expires, learner, drawn_by = more
            sealed = Sealed(question, int(seed, 16), expires, learner, drawn_by)
        except (InvalidToken, TypeError, ValueError):
            return None
        return sealed if purpose == _PURPOSE else None

    def _keys(self) -> MultiFernet:
        if self.keys is None:
            raise ServiceUnavailable(NO_KEYS)
        return self.keys


def _is_canonical(token: str) -> bool:
    """Python's base64 passes over what is not in its alphabet, and over the last bits."""
    try:
        return urlsafe_b64encode(urlsafe_b64decode(token)) == token.encode()
    except ValueError:
        return False
