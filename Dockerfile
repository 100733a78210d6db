# Memweaver in a container: what runs is an environment made from the lock file, and nothing else.
# The data folder is /data; give it a volume. How to run it: docs/howto/run-in-docker.md.

FROM python:3.11-slim-bookworm AS build

WORKDIR /source
COPY requirements-serve.lock ./
RUN python -m venv /opt/memweaver \
  && /opt/memweaver/bin/pip install --no-cache-dir --no-deps --require-hashes \
    --requirement requirements-serve.lock
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN /opt/memweaver/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
  && /opt/memweaver/bin/pip uninstall --yes hatchling pip

FROM python:3.11-slim-bookworm

RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin memweaver \
  && install --directory --mode 0700 --owner memweaver --group memweaver /data
COPY --from=build /opt/memweaver /opt/memweaver

ENV PATH=/opt/memweaver/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    MEMWEAVER_DATA=/data \
    MEMWEAVER_SERVER__HOST=0.0.0.0 \
    MEMWEAVER_SERVER__PORT=8765

USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8765
STOPSIGNAL SIGTERM

# Not by a command of ours: that would load the whole program every time.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/ready', timeout=4)"]

ENTRYPOINT ["memweaver"]
CMD ["serve"]
