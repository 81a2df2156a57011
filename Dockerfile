ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
WORKDIR /build
RUN python -m venv --without-pip /venv
# The dependencies alone, so that a change of the service does not install them again.
COPY pyproject.toml .
RUN python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" > requirements.txt \
    && pip --python /venv/bin/python install --no-cache-dir --only-binary :all: -r requirements.txt \
    && find /venv -type d -name tests -prune -exec rm -r {} +
COPY . /app
# Nobody can write bytecode later; checked by nothing, because nothing changes.
RUN python -m compileall -q --invalidation-mode unchecked-hash /app

FROM python:${PYTHON}-slim
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 \
    PORT=8000
COPY --from=build /venv /venv
COPY --from=build /app /app
WORKDIR /app
USER 10001:10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz', timeout=2)"]
CMD ["python", "-m", "service"]
