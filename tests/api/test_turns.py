"""Who computes when: in turns, in the order of coming, whatever one of them takes."""

import threading
import time

import pytest
from werkzeug.exceptions import ServiceUnavailable

from service.api import turns as module
from service.api.turns import Turns


def started(call):
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    return thread


def until(condition):
    for _ in range(2_000):
        if condition():
            return
        time.sleep(0.001)
    raise AssertionError("this did not come about")


def test_turns_come_in_the_order_of_asking_even_to_who_asks_again_at_once():
    turns, order = Turns(), []

    def other(name):
        with turns:
            order.append(name)

    turns.__enter__()
    others = []
    for place, name in enumerate("abc"):
        others.append(started(lambda name=name: other(name)))
        until(lambda place=place: len(turns._waiting) == place + 1)
    turns._over = 0
    turns.give_way()
    order.append("again")
    turns.__exit__()
    for thread in others:
        thread.join(2)
    assert order == ["a", "b", "c", "again"]


def test_a_turn_that_is_not_over_gives_no_way():
    turns = Turns()
    with turns:
        waiting = started(turns.__enter__)
        until(lambda: len(turns._waiting) == 1)
        turns.give_way()
        assert len(turns._waiting) == 1
    waiting.join(2)
    assert not waiting.is_alive()


def test_who_waits_too_long_is_told_so_and_gets_no_turn_later(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.02)
    turns = Turns()
    with turns, pytest.raises(ServiceUnavailable):
        turns.__enter__()
    with turns:  # it is free again
        pass


def test_a_chunk_that_fails_ends_its_turn():
    def failing():
        yield b"a"
        raise ValueError("no second chunk")

    turns = Turns()
    chunks = turns.chunks(failing())
    assert next(chunks) == b"a"
    with pytest.raises(ValueError, match="no second chunk"):
        next(chunks)
    with turns:
        pass


def test_who_has_no_turn_has_none_to_give():
    turns = Turns()
    turns.give_way()
    with turns:
        taker = started(turns.give_way)
        taker.join(2)
        assert not taker.is_alive()
    with turns:
        pass


@pytest.mark.parametrize("method", ["POST", "post"], ids=["the short way", "Flask's way"])
def test_an_operation_takes_a_turn_whichever_way_it_is_reached(client, app, monkeypatch, method):
    monkeypatch.setattr("service.api.turns.PATIENCE_SECONDS", 0.05)
    body = {"Q": [[1]], "K": [[1]], "V": [[1]]}
    with app.turns:
        assert client.open("/v1/attention", method=method, json=body).status_code == 503
    assert client.open("/v1/attention", method=method, json=body).status_code == 200
