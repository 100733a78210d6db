"""A trace: from the request over the queue and the worker to the model, and nothing of contents."""

from collections.abc import AsyncIterator, Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Condition, Thread
from typing import Any

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from pydantic import SecretStr
from tests.story.server import COMMAND, PATIENCE, serving, started

from memweaver.adapters.memory.upstream import Nowhere
from memweaver.app.house_sections import TraceSettings
from memweaver.app.metrics import PrometheusMeter
from memweaver.app.traced_upstream import TracedUpstream
from memweaver.app.tracing import TracedFigures, open_tracing, pairs, traced_chat
from memweaver.domain.conversation import Message, Role
from memweaver.errors import ConfigurationError, NoUpstream
from memweaver.ports.models import ChatModel, Completion
from memweaver.ports.upstream import Json, Passage

CANARY = "heron"
WORK = [COMMAND[0], "worker"]
TURN = {
    "session": f"{CANARY}-session",
    "messages": [{"role": "user", "text": f"My {CANARY} Ada lives in Lisbon."}],
}
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Receiver:
    """An OTLP receiver on loopback that keeps what it is sent."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.raw = b""
        self.keys: set[str | None] = set()
        self.come = Condition()

    def take(self, body: bytes, key: str | None) -> None:
        request = ExportTraceServiceRequest.FromString(body)
        with self.come:
            self.raw += body
            self.keys.add(key)
            self.spans += [
                span
                for resource in request.resource_spans
                for scope in resource.scope_spans
                for span in scope.spans
            ]
            self.come.notify_all()

    def named(self, name: str) -> Span:
        """The first span of that name, as soon as it comes."""
        with self.come:
            assert self.come.wait_for(
                lambda: any(span.name.startswith(name) for span in self.spans), PATIENCE
            ), f"no {name} among {sorted({span.name for span in self.spans})}"
            return next(span for span in self.spans if span.name.startswith(name))


@contextmanager
def receiving() -> Generator[tuple[Receiver, str]]:
    receiver = Receiver()

    class Take(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.take(body, self.headers["X-Key"])
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Take) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield receiver, f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.requirement("D12")
def test_one_trace_leads_from_the_request_over_a_worker_apart_to_the_model(tmp_path: Path) -> None:
    with ExitStack() as stack:
        receiver, url = stack.enter_context(receiving())
        settings = {
            "MEMWEAVER_TRACE__URL": url,
            "MEMWEAVER_TRACE__HEADERS": "x-key=seven",
            "MEMWEAVER_REFLECTOR__INSIDE": "false",
            "OTEL_BSP_SCHEDULE_DELAY": "100",
        }
        server = stack.enter_context(serving(tmp_path, **settings))
        worker = stack.enter_context(started(tmp_path, command=WORK, **settings))
        headers = {"Authorization": f"Bearer {server.welcome['api_key']}", "traceparent": PARENT}
        answer = httpx.post(
            f"{server.welcome['url']}/v1/turns", json=TURN, headers=headers, trust_env=False
        )
        assert answer.status_code == 201
        request = receiver.named("POST /v1/turns")
        parts = [
            receiver.named(name)
            for name in ("record", "queue", "reflect", "reflection extract_semantic")
        ]
        receiver.named("embeddings ")
        assert server.stop() == 0
        worker.terminate()
        assert worker.wait(PATIENCE) == 0

    assert {span.trace_id for span in [request, *parts]} == {bytes.fromhex(PARENT[3:35])}
    assert request.parent_span_id == bytes.fromhex(PARENT[36:52])
    assert receiver.keys == {"seven"}
    for private in (CANARY, "Lisbon", "owner", server.welcome["api_key"]):
        assert private.encode() not in receiver.raw


class Modest(ChatModel):
    model = "small"

    async def complete(self, messages: Any, *, schema: Any, tokens: int) -> Completion:
        return Completion(CANARY, tokens_in=3, tokens_out=5)


async def test_a_call_of_a_model_tells_its_tokens_and_not_its_words() -> None:
    with receiving() as (receiver, url):
        with open_tracing(TraceSettings(url=url)) as spans:
            assert spans
            figures = TracedFigures(PrometheusMeter(), spans)
            chat = traced_chat(Modest(), figures)
            await chat.complete([Message(Role.USER, CANARY)], schema=None, tokens=9)
        call = receiver.named("chat small")

    told = {one.key: one.value.int_value for one in call.attributes}
    assert (told["gen_ai.usage.input_tokens"], told["gen_ai.usage.output_tokens"]) == (3, 5)
    assert CANARY.encode() not in receiver.raw


class Answering(Passage):
    status = 200
    headers: Mapping[str, str] = {}

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield CANARY.encode()

    async def aclose(self) -> None:
        pass


class Talking(Nowhere):
    """A model that chats, and does not embed."""

    async def chat(self, request: Json) -> Passage:  # type: ignore[override] # it does answer
        return Answering()


async def test_what_is_passed_on_is_a_span_until_its_end_and_failing_is_told_by_its_code() -> None:
    with receiving() as (receiver, url):
        with open_tracing(TraceSettings(url=url)) as spans:
            assert spans
            upstream = TracedUpstream(Talking(), spans)
            passage = await upstream.chat({"model": CANARY})
            assert [piece async for piece in passage] == [CANARY.encode()]
            await passage.aclose()
            await passage.aclose()
            with pytest.raises(NoUpstream):
                await upstream.embeddings({})
        receiver.named("upstream embeddings")

    [chat, failed] = [
        {one.key: one.value.string_value or one.value.int_value for one in span.attributes}
        for span in receiver.spans
    ]
    assert (chat["http.response.status_code"], chat["gen_ai.request.model"]) == (200, "none")
    assert failed["error.type"] == NoUpstream.code
    assert CANARY.encode() not in receiver.raw


def test_a_canary_would_be_found() -> None:
    span = Span(name="x")
    span.attributes.add(key="text").value.string_value = CANARY

    assert CANARY.encode() in span.SerializeToString()


async def test_nothing_is_opened_unless_it_is_named() -> None:
    with open_tracing(TraceSettings()) as spans:
        assert spans is None


def test_a_request_without_a_parent_begins_a_trace_and_a_failure_has_its_class_only() -> None:
    with receiving() as (receiver, url):
        settings = TraceSettings(url=url, headers=SecretStr("X-Key=a=b, other=1"))
        with open_tracing(settings) as spans:
            assert spans
            with suppress(ValueError), spans.within("fails", {}):
                raise ValueError(CANARY)
        failed = receiver.named("fails")

    assert [(one.key, one.value.string_value) for one in failed.attributes] == [
        ("error.type", "ValueError")
    ]
    assert CANARY.encode() not in receiver.raw
    assert receiver.keys == {"a=b"}


def test_headers_that_are_none_are_refused() -> None:
    assert pairs("Authorization=Basic abc==, x=1") == {"authorization": "Basic abc==", "x": "1"}
    with pytest.raises(ConfigurationError, match="name=value"):
        pairs("Authorization")
