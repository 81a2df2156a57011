"""Replies that are held are the replies that would be made, and never another's."""

import io
import threading
import tracemalloc

import orjson
import pytest
from werkzeug.test import EnvironBuilder

from service.api.kept import MOST_BYTES, OVERHEAD, KeptReplies, Request
from service.app import create_app
from service.settings import SettingError

BODY = b'{"Q": [[1, 2]], "K": [[3, -1], [0, 1]], "V": [[1], [2]]}'


def post(app, path="/v1/attention", body=BODY, **headers):
    """Status, headers and text of a request, by the WSGI interface as a server calls it."""
    environ = EnvironBuilder(
        path=path, method="POST", data=body, content_type="application/json", headers=headers
    ).get_environ()
    environ["wsgi.input"] = io.BytesIO(body)
    said = []
    text = b"".join(app(environ, lambda *start: said.append(start)))
    return said[0][0], dict(said[0][1]), text


@pytest.fixture
def app():
    return create_app({"ENVIRONMENT": "development"})


@pytest.fixture
def computed(app, monkeypatch):
    """How often an operation has been asked to compute, counted at its own door."""
    counted = []
    for path, operation in app.operations.items():
        answer = operation.answer

        def count(body, environ, path=path, answer=answer, **more):
            counted.append(path)
            return answer(body, environ, **more)

        monkeypatch.setattr(operation, "answer", count)
    return counted


def test_what_was_asked_before_is_answered_alike_and_computed_once(app, computed):
    first, again = post(app), post(app)
    assert first[0] == again[0] == "200 OK"
    assert first[2] == again[2]
    assert first[1].keys() == again[1].keys()
    assert first[1]["Content-Length"] == again[1]["Content-Length"] == str(len(again[2]))
    assert first[1]["X-Request-Id"] != again[1]["X-Request-Id"]
    assert computed == ["/v1/attention"]


def test_another_body_is_another_request(app, computed):
    assert post(app)[2] != post(app, body=BODY.replace(b"-1", b"1"))[2]
    assert len(computed) == 2


def test_the_same_body_to_another_operation_is_another_request(app, computed):
    body = b'{"preset": "gpt3"}'
    assert post(app, "/v1/params", body)[0] == "200 OK"
    assert post(app, "/v1/attention", body)[0].startswith("422")
    assert computed == ["/v1/params", "/v1/attention"]


def test_what_is_refused_is_refused_each_time(app, computed):
    wrong = BODY.replace(b"[2]", b'["2"]')
    assert post(app, body=wrong)[0] == post(app, body=wrong)[0] == "422 UNPROCESSABLE ENTITY"
    assert len(computed) == 2


def test_a_known_body_of_another_type_is_still_refused(app):
    post(app)
    environ = EnvironBuilder(
        path="/v1/attention", method="POST", data=BODY, content_type="text/plain"
    ).get_environ()
    said = []
    list(app(environ, lambda *start: said.append(start)))
    assert said[0][0].startswith("415")


def test_what_depends_on_who_asks_is_never_held(app, computed):
    body = b'{"items": [{"question": "heads-gpt3", "answer": {"kind": "text", "text": "96"}}]}'
    for _ in range(2):
        assert post(app, "/v1/quiz/grade", body)[0] == "200 OK"
    assert len(computed) == 2


def test_nothing_is_held_where_no_room_is_given():
    app = create_app({"REPLY_CACHE_BYTES": "0"})
    assert post(app)[2] == post(app)[2]
    assert app.kept is None


def test_the_room_is_a_whole_number():
    with pytest.raises(SettingError, match="REPLY_CACHE_BYTES is much; it must be a whole number"):
        create_app({"REPLY_CACHE_BYTES": "much"})


def asked(name):
    return Request("/v1/mask", name)


def test_the_reply_not_asked_for_longest_makes_room():
    kept = KeptReplies(3 * (1 + 100 + OVERHEAD))
    for name in (b"a", b"b", b"c"):
        kept.keep(asked(name), name * 100)
    assert kept.get(asked(b"a")) == b"a" * 100
    kept.keep(asked(b"d"), b"d" * 100)
    assert kept.get(asked(b"b")) is None
    assert [kept.get(asked(name)) for name in (b"a", b"c", b"d")] == [
        name * 100 for name in (b"a", b"c", b"d")
    ]


def test_a_long_request_takes_its_room_too():
    kept = KeptReplies(2000)
    kept.keep(asked(b"x" * 1000), b"reply")
    kept.keep(asked(b"y" * 1000), b"reply")
    assert kept.get(asked(b"x" * 1000)) is None
    assert kept.get(asked(b"y" * 1000)) == b"reply"


def test_a_reply_that_is_too_large_is_not_held():
    kept = KeptReplies(1 << 20)
    kept.keep(asked(b"just"), b"x" * MOST_BYTES)
    kept.keep(asked(b"over"), b"x" * (MOST_BYTES + 1))
    assert kept.get(asked(b"just")) is not None
    assert kept.get(asked(b"over")) is None
    none = KeptReplies(0)
    none.keep(asked(b"a"), b"x")
    assert none.get(asked(b"a")) is None


def test_what_is_held_takes_the_memory_that_it_is_counted_for():
    kept, most = KeptReplies(1 << 20), 0
    tracemalloc.start()
    try:
        for i in range(4000):
            kept.keep(asked(b"%d" % i), orjson.dumps({"texts": [i]}))
            most = max(most, tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert 1 << 19 < most < 1.2 * (1 << 20)


def test_a_path_and_a_body_are_told_apart():
    kept = KeptReplies(1 << 20)
    kept.keep(Request("/v1/mask", b"{}"), b"reply")
    assert kept.get(Request("/v1/mas", b"k{}")) is None
    assert kept.get(Request("/v1/mask", b"{} ")) is None


def test_a_request_too_long_to_be_held_is_answered_all_the_same(app, computed):
    long = BODY.ljust(MOST_BYTES + 1)
    assert post(app, body=long)[2] == post(app, body=long)[2] == post(app)[2]
    assert len(computed) == 3


def test_many_threads_get_each_their_own():
    kept = KeptReplies(1 << 14)
    wrong = []

    def work(name):
        for i in range(2000):
            body = bytes([name, i % 40])
            found = kept.get(asked(body))
            if found is not None and found != body * 20:
                wrong.append(found)
            kept.keep(asked(body), body * 20)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
