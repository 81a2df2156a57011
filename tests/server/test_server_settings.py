"""A setting that cannot be used stops the start with one sentence, and no traceback."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable

import pytest
from real_server import HEALTH, ROOT, Server

KEY = "a2V5IGZvciB0ZXN0czogMDEyMzQ1Njc4OWFiY2RlZmc="
UNUSABLE = {
    "WEB_CONCURRENCY": ("x", "WEB_CONCURRENCY is x; it must be a whole number from 1"),
    "THREADS": ("0", "THREADS is 0; it must be a whole number from 1"),
    "MAX_BODY_BYTES": ("2MB", "MAX_BODY_BYTES is 2MB; it must be a whole number from 1"),
    "QUIZ_SECRETS": ("x", "QUIZ_SECRETS: key 1 is not 32 bytes in URL-safe base64"),
    "TEACHER_CREDENTIALS": ("x", "TEACHER_CREDENTIALS: number 1 can be guessed"),
}


def ended_start(**env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service"],
        cwd=ROOT,
        env={**os.environ, "QUIZ_SECRETS": KEY, **env},
        capture_output=True,
        text=True,
        timeout=20,
    )


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_setting_of_no_use_is_told_in_one_line(name: str) -> None:
    value, sentence = UNUSABLE[name]
    ended = ended_start(**{name: value})
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert line.startswith(sentence)


def test_gunicorn_alone_tells_of_its_own_settings_in_one_line() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "gunicorn"],
        cwd=ROOT,
        env={**os.environ, "WEB_CONCURRENCY": "0"},
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["QUIZ_SECRETS", "TEACHER_CREDENTIALS"])
def test_the_command_that_a_sentence_gives_makes_what_is_wanted(
    name: str, start: Callable[..., Server]
) -> None:
    made = run_command(name)
    assert start(**{"QUIZ_SECRETS": KEY, name: made}).send(HEALTH).status == 200


def run_command(name: str) -> str:
    command = ended_start(**{name: "x"}).stderr.partition("make one with: ")[2]
    return subprocess.run(
        shlex.split(command), capture_output=True, check=True, text=True, timeout=20
    ).stdout.strip()


def test_an_empty_setting_is_one_that_is_not_set(start: Callable[..., Server]) -> None:
    assert start(WEB_CONCURRENCY="", THREADS="").send(HEALTH).status == 200
