#!/usr/bin/env bash
# Generates clients from openapi.yaml, compiles them, and calls the real service with each.
#
# Needs Python 3.11, Node 20 and npm; Java 17 is installed if it is missing. Everything else goes
# into a temporary directory. Each program next to this file computes the lecture's calculator,
# gets an error on purpose and has an answer graded, through the types that were generated for it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
service=
trap 'test -z "$service" || kill "$service"; rm -rf "$work"' EXIT

say() { printf '%3ds  %s\n' "$SECONDS" "$*"; }
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; echo "FAILED: $*"; exit 1; }; }

say "install the generators"
export PATH="$work/venv/bin:$PATH" PIP_DISABLE_PIP_VERSION_CHECK=1
quietly "${PYTHON:-python3}" -m venv "$work/venv"
python - "$root/pyproject.toml" >"$work/requirements.txt" <<'END'
import sys, tomllib
print(*tomllib.load(open(sys.argv[1], "rb"))["project"]["dependencies"], sep="\n")
END
quietly pip install -r "$work/requirements.txt" \
    'openapi-python-client>=0.29,<0.30' 'openapi-generator-cli>=7.26,<7.27' ruff
mkdir "$work/ts" && cp "$here"/{package.json,tsconfig.json,calculator.ts} "$work/ts"
quietly npm install --prefix "$work/ts" --no-audit --no-fund
if ! command -v javac >/dev/null; then
    quietly apt-get update
    quietly apt-get install -y --no-install-recommends openjdk-17-jdk-headless
fi

say "start the service"
port=$(python -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
export SERVICE_URL="http://127.0.0.1:$port"
(cd "$root" && PORT=$port WEB_CONCURRENCY=1 exec gunicorn) >"$work/service.log" 2>&1 &
service=$!
for _ in {1..100}; do
    python -c "import urllib.request; urllib.request.urlopen('$SERVICE_URL/readyz')" 2>/dev/null && break
    kill -0 "$service" || { cat "$work/service.log"; exit 1; }
    sleep 0.1
done
quietly python -c "import urllib.request; urllib.request.urlretrieve('$SERVICE_URL/openapi.yaml', '$work/openapi.yaml')"

say "openapi-python-client"
quietly openapi-python-client generate --path "$work/openapi.yaml" --meta none \
    --output-path "$work/python/attention_client" --config "$here/openapi_python_client.yaml" \
    --fail-on-warning
PYTHONPATH="$work/python" python "$here/calculator_attrs.py"

say "openapi-generator python"
quietly openapi-generator-cli generate -i "$work/openapi.yaml" -g python -o "$work/pydantic" \
    --additional-properties=packageName=attention_pydantic
quietly pip install -r "$work/pydantic/requirements.txt"
PYTHONPATH="$work/pydantic" python "$here/calculator_pydantic.py"

say "openapi-generator java"
names=invokerPackage=attention,apiPackage=attention.api,modelPackage=attention.model
quietly openapi-generator-cli generate -i "$work/openapi.yaml" -g java --library native \
    -o "$work/java" --additional-properties="$names,openApiNullable=false"
# The generator's own jar holds the libraries that its clients need, all but one annotation.
mkdir -p "$work/java/javax/annotation"
cat >"$work/java/javax/annotation/Generated.java" <<'END'
package javax.annotation;

public @interface Generated {
    String[] value();
    String date() default "";
    String comments() default "";
}
END
jar=$(python -c 'import openapi_generator_cli, pathlib; print(next(pathlib.Path(openapi_generator_cli.__file__).parent.rglob("*.jar")))')
mapfile -t sources < <(find "$work/java/src/main" "$work/java/javax" -name '*.java')
quietly javac -nowarn -d "$work/classes" -cp "$jar" "${sources[@]}" "$here/Calculator.java"
java -cp "$work/classes:$jar" Calculator

say "openapi-typescript and openapi-fetch"
cd "$work/ts"
quietly npx openapi-typescript "$work/openapi.yaml" -o schema.d.ts
quietly npx tsc
node calculator.js

say "all clients agree"
