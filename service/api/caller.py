"""Who calls: anybody, or a teacher, who may see keys and choose rules for them."""

from collections.abc import Callable
from hmac import compare_digest
from typing import Any, NamedTuple

from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from service.api.quiz.secrets import Secrets


class _Challenge(WWWAuthenticate):
    """RFC 9110 wants a realm in quotes, which werkzeug leaves out where a token would do."""

    def to_header(self) -> str:
        return 'Bearer realm="teachers"'


_CHALLENGE = _Challenge("bearer")


class Caller(NamedTuple):
    """What a request says of its caller, and what that is checked with.

    give_way: to be called between the parts of long work, so that other callers get their turns.
    kept: what is made once for all lines of a request.
    """

    authorization: str
    secrets: Secrets
    give_way: Callable[[], None]
    kept: dict[Any, Any]

    @property
    def is_teacher(self) -> bool:
        """Whether the request carries a teacher's credential. All are compared, each in full."""
        scheme, _, given = self.authorization.partition(" ")
        text = given.strip().encode("latin-1", "replace")
        same = [compare_digest(text, credential) for credential in self.secrets.credentials]
        return any(same) and scheme.lower() == "bearer"

    def must_be_teacher(self, why: str) -> None:
        """Raise Unauthorized unless the caller is a teacher; `why` says what for."""
        if self.is_teacher:
            return
        if not self.secrets.credentials:
            how = "This service has none: its operator sets TEACHER_CREDENTIALS."
        elif self.authorization:
            how = "The one that came is not valid."
        else:
            how = "Send it as Authorization: Bearer and the credential."
        raise Unauthorized(
            f"{why} takes a teacher's credential. {how}", www_authenticate=_CHALLENGE
        )
