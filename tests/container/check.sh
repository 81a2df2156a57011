#!/usr/bin/env bash
# Builds the image and runs it as a careful operator does: read-only, no capabilities, no network.
#
# CONTAINER_TOOL may name a script for the engine at hand, called as
#   build DIR IMAGE | run-nonet IMAGE NAME [options of docker run] | exec NAME COMMAND...
#   health NAME (runs the health check once) | logs NAME | stop NAME (kills after 5 s)
# Without one, engine.sh makes do with packages; it has to be root.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${CONTAINER_TOOL:=tests/container/engine.sh}"

image=attention-service:check name=attention-service-check
tool() { bash "$CONTAINER_TOOL" "$@"; }
inside() { tool exec "$name" "$@"; }
fact() { # what is true, and the command that shows it
  local output
  if output=$("${@:2}" 2>&1); then echo "ok: $1"; else
    echo "FAILED: $1"
    echo "$output"
    tool logs "$name" || true
    exit 1
  fi
}
healthy() { for _ in {1..30}; do tool health "$name" &>/dev/null && return; sleep 0.5; done; return 1; }
reply() { inside python -c "
import json, urllib.request
body = json.dumps({'Q': [[1, 2]], 'K': [[3, -1], [0, 1]], 'V': [[1], [2]]}).encode()
request = urllib.request.Request(
    'http://127.0.0.1:8000/v1/attention', body, {'Content-Type': 'application/json'})
assert json.load(urllib.request.urlopen(request))['steps']"; }
none_of() { for thing in "${@:2}"; do ! inside sh -c "$1 $thing" || return 1; done; }
silent() { ! tool logs "$name" 2>&1 | grep -E '\[(WARNING|ERROR|CRITICAL)\]|Traceback'; }
stops_by_itself() { local start=$SECONDS; tool stop "$name" && ((SECONDS - start < 4)); }

fact "the image builds" tool build . "$image"
fact "it starts" tool run-nonet "$image" "$name" --read-only --tmpfs /tmp --cap-drop ALL --memory 512m
trap 'tool stop "$name" >/dev/null 2>&1 || true' EXIT
fact "the health check passes" healthy
fact "it computes" reply
fact "it does not run as root" inside sh -c 'test "$(id -u)" -ge 10000'
fact "the server is process 1" inside sh -c "tr '\\0' ' ' </proc/1/cmdline | grep -q '^python -m service'"
fact "nothing can be written" none_of touch /app/file /venv/file
fact "there is no compiler" none_of 'command -v' cc gcc c++ make
fact "it holds only what runs" none_of 'test -e' /app/{tests,.git,Dockerfile} /venv/bin/{pip,pytest}
fact "the log has no complaint" silent
fact "it stops by itself" stops_by_itself
