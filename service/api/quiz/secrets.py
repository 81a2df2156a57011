"""The quiz's secrets, from the environment: keys that encrypt tokens, credentials of teachers."""

import logging
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import NamedTuple

from cryptography.fernet import Fernet, MultiFernet

from service.api.quiz.tokens import Tokens
from service.settings import SettingError

# Anybody can read them here, so they protect nothing. For trying things out, without a setting.
DEVELOPMENT_CREDENTIAL = "known-to-all-for-trying-things"
DEVELOPMENT_KEY = urlsafe_b64encode(b"known to all: for trying things!").decode()

KEY_BYTES = 32
SHORTEST_CREDENTIAL = 24
# A random key has some thirty different bytes, and fewer than this never.
FEWEST_BYTES = 16
FEWEST_CHARACTERS = 8

# Python alone does, as a new machine has it.
_MAKE_KEY = (
    "make one with: python3 -c 'import base64, os;"
    " print(base64.urlsafe_b64encode(os.urandom(32)).decode())'"
)
_MAKE_CREDENTIAL = "make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"

log = logging.getLogger(__name__)


class Secrets(NamedTuple):
    """What only the service, and with a credential a teacher, knows."""

    tokens: Tokens
    credentials: tuple[bytes, ...]


def secrets_of(environment: Mapping[str, str]) -> Secrets:
    """The secrets of an environment, or SettingError for one that is no secret.

    QUIZ_SECRETS: Fernet keys; TEACHER_CREDENTIALS: texts. Of each there may be several, with
    spaces or commas between: to change one, put the new one first and leave the old one until
    nothing is in use that was made with it.
    """
    development = environment.get("ENVIRONMENT") == "development"
    keys = _several(environment, "QUIZ_SECRETS")
    for place, key in enumerate(keys, 1):
        _check_key(place, key)
    if not keys and development:
        log.warning("QUIZ_SECRETS is not set: tokens are made with a key that everybody knows.")
        keys = [DEVELOPMENT_KEY]
    elif not keys:
        log.warning("QUIZ_SECRETS is not set: the quiz makes and takes no tokens. %s", _MAKE_KEY)
    elif DEVELOPMENT_KEY in keys and not development:
        raise SettingError(f"QUIZ_SECRETS has the key that everybody knows; {_MAKE_KEY}")
    credentials = _several(environment, "TEACHER_CREDENTIALS")
    for place, credential in enumerate(credentials, 1):
        _check_credential(place, credential)
    if not credentials and development:
        log.warning("TEACHER_CREDENTIALS is not set: everybody knows %s.", DEVELOPMENT_CREDENTIAL)
        credentials = [DEVELOPMENT_CREDENTIAL]
    elif DEVELOPMENT_CREDENTIAL in credentials and not development:
        raise SettingError(
            f"TEACHER_CREDENTIALS has the one that everybody knows; {_MAKE_CREDENTIAL}"
        )
    return Secrets(
        Tokens(MultiFernet([Fernet(key) for key in keys]) if keys else None),
        tuple(credential.encode() for credential in credentials),
    )


def _several(environment: Mapping[str, str], name: str) -> list[str]:
    return environment.get(name, "").replace(",", " ").split()


def _check_key(place: int, key: str) -> None:
    """Raise SettingError unless it is a Fernet key that looks random; no message ever holds it."""
    try:
        raw = urlsafe_b64decode(key)
    except ValueError:
        raw = b""
    if len(raw) != KEY_BYTES or urlsafe_b64encode(raw).decode() != key:
        raise SettingError(
            f"QUIZ_SECRETS: key {place} is not {KEY_BYTES} bytes in URL-safe base64; {_MAKE_KEY}"
        )
    if len(set(raw)) < FEWEST_BYTES:
        raise SettingError(f"QUIZ_SECRETS: key {place} can be guessed; {_MAKE_KEY}")


def _check_credential(place: int, credential: str) -> None:
    """Raise SettingError unless it is long, can be sent in a header and does not look guessable."""
    if not re.fullmatch(r"[A-Za-z0-9._~+/-]+=*", credential):
        raise SettingError(
            f"TEACHER_CREDENTIALS: number {place} has a character that a Bearer token has not;"
            f" {_MAKE_CREDENTIAL}"
        )
    if len(credential) < SHORTEST_CREDENTIAL or len(set(credential)) < FEWEST_CHARACTERS:
        raise SettingError(
            f"TEACHER_CREDENTIALS: number {place} can be guessed: it takes at least"
            f" {SHORTEST_CREDENTIAL} characters, {FEWEST_CHARACTERS} different ones;"
            f" {_MAKE_CREDENTIAL}"
        )
