"""From settings to services. Reads top to bottom; opens what it closes."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from math import inf

from memweaver.adapters.otel import Spans
from memweaver.adapters.system import SystemClock
from memweaver.app.afterwards import build_embed, build_reflect, build_shift, build_worker
from memweaver.app.entrance import build_entrance
from memweaver.app.found import Around, Found
from memweaver.app.metrics import PrometheusMeter
from memweaver.app.observed import MeteredCourier, MeteredDoorbell, WatchedWindows
from memweaver.app.opening import (
    Minds,
    open_backend,
    open_carrying,
    open_counter,
    open_doorbell,
    open_embedder,
    open_index,
    open_master_keys,
    open_minds,
    open_upstream,
    open_windows,
)
from memweaver.app.settings import Settings
from memweaver.app.traced_upstream import TracedUpstream
from memweaver.app.tracing import (
    TracedDoorbell,
    TracedEmbedder,
    TracedFigures,
    open_tracing,
    traced,
)
from memweaver.background import beside
from memweaver.domain.limits import Limits
from memweaver.ports.backend import Backend
from memweaver.ports.clock import Clock
from memweaver.ports.index import Index
from memweaver.ports.keys import MasterKeys
from memweaver.ports.meter import Figures
from memweaver.ports.models import Embedder
from memweaver.ports.store import Store
from memweaver.ports.windows import Windows
from memweaver.services import Services
from memweaver.services.ais import Ais
from memweaver.services.audit import Auditing
from memweaver.services.chat import Chat
from memweaver.services.converse import Converse
from memweaver.services.courtesy import Courtesy
from memweaver.services.curate import Curate
from memweaver.services.cursors import Cursors
from memweaver.services.entries import Entries
from memweaver.services.forget import Forget
from memweaver.services.health import Health
from memweaver.services.jobs import Jobs
from memweaver.services.keys import Keys
from memweaver.services.listen import Listen
from memweaver.services.maintain import Maintain
from memweaver.services.once import Once
from memweaver.services.reach import Reach
from memweaver.services.recall import Recall
from memweaver.services.record import Record
from memweaver.services.reflect.shift import Shift
from memweaver.services.reflect.unqueued import Unqueued
from memweaver.services.reflect.worker import Worker
from memweaver.services.relate import Relate
from memweaver.services.sessions import Sessions
from memweaver.services.sweep import Sweep
from memweaver.services.turnstile import Turnstile
from memweaver.services.upkeep import Upkeep
from memweaver.services.watch import Watch
from memweaver.services.webhooks import Webhooks
from memweaver.services.working import Working


@dataclass(frozen=True, slots=True)
class Parts:
    services: Services
    worker: Worker


@asynccontextmanager
async def open_services(settings: Settings, *, working: bool = True) -> AsyncGenerator[Services]:
    """Open everything `settings` name, keep the background work going, close it all in the end.

    Turns are reflected upon here too, if the settings say so and it is not a passing visit.
    """
    async with AsyncExitStack() as stack:
        parts = await stack.enter_async_context(open_parts(settings))
        await stack.enter_async_context(beside(parts.services.maintain.run()))
        if working and settings.reflector.inside and settings.reflector.queue_enabled:
            worker, kept = parts.worker, parts.services.upkeep
            await stack.enter_async_context(
                beside(kept("reflection", worker.run), stop=worker.stop)
            )
        yield parts.services


@asynccontextmanager
async def open_parts(settings: Settings) -> AsyncGenerator[Parts]:
    """Everything `settings` name, opened, and nothing running yet."""
    async with AsyncExitStack() as stack:
        spans = stack.enter_context(open_tracing(settings.trace))
        clock, figures = SystemClock(), kept_figures(spans)
        master_keys = open_master_keys(settings)
        backend = await stack.enter_async_context(open_backend(settings, master_keys))
        embedder = await stack.enter_async_context(open_embedder(settings.embedder))
        if spans:
            embedder = TracedEmbedder(embedder, spans)
        index = await stack.enter_async_context(open_index(settings, backend, embedder))
        minds = await stack.enter_async_context(open_minds(settings, figures))
        doorbell = await stack.enter_async_context(open_doorbell(settings))
        if spans:
            doorbell = TracedDoorbell(doorbell, spans)
        windows = await stack.enter_async_context(open_windows(settings, backend))
        counter = await stack.enter_async_context(open_counter(settings))
        upstream = await stack.enter_async_context(open_upstream(settings.upstream))
        if spans:
            upstream = TracedUpstream(upstream, spans)
        courier = await stack.enter_async_context(open_carrying(settings.events))
        around = Around(
            MeteredDoorbell(doorbell, figures),
            windows,
            figures=figures,
            counter=counter,
            upstream=upstream,
            courier=MeteredCourier(courier, figures),
            courtesy=Courtesy(Turnstile(pace=settings.access.requests_per_minute / 60 or inf)),
        )
        services = build_services(
            settings,
            clock=clock,
            master_keys=master_keys,
            backend=backend,
            embedder=embedder,
            index=index,
            minds=minds,
            around=around,
        )
        stack.push_async_callback(services.chat.settled)
        if spans:
            services = traced(services, spans)
        yield Parts(services, build_worker(settings, services, backend, around, clock))


def kept_figures(spans: Spans | None) -> Figures:
    figures = PrometheusMeter()
    return TracedFigures(figures, spans) if spans else figures


def build_services(
    settings: Settings,
    *,
    clock: Clock,
    master_keys: MasterKeys,
    backend: Backend,
    embedder: Embedder,
    index: Index,
    minds: Minds,
    around: Around,
) -> Services:
    store, queue, bell, events = backend.store, backend.queue, around.doorbell, around.events
    limits = Limits(**settings.limits.model_dump())
    found = Found(clock, backend, embedder, index, minds, around)
    embed = build_embed(found)
    kept = timedelta(hours=settings.events.keep_hours)
    sweep = Sweep(backend.replies, backend.webhooks, backend.events, backend.access, clock, kept)
    maintain = Maintain(embed, index, sweep, around.courtesy)
    near = WatchedWindows(around.windows)
    working = build_working(settings, backend, near, minds)
    reflector = settings.reflector
    reflect = build_reflect(reflector, found, maintain, working)
    shift = build_shift(reflector, queue, reflect)
    keys, reach = Keys(master_keys, backend.vault, index, working), Reach(backend.registry)
    curate = Curate(store, maintain, events, clock, limits, index, working, reach)
    unqueued = Unqueued.of(reflect, queue, backend.events, reflector.batch_size, reflector.timeout)
    record = build_record(settings, store, around, shift, unqueued)
    recall = build_recall(settings, index, embedder, clock, around, reach=reach)
    entrance = build_entrance(settings.access, backend, clock, around.counter, around.figures)
    chat = Chat(around.upstream, recall, record, entrance["quota"], around.figures)
    sessions = Sessions(backend.sessions, store, clock, limits)
    upkeep = Upkeep()
    return Services(
        record=record,
        recall=recall,
        chat=chat,
        converse=Converse(chat, sessions),
        curate=curate,
        embed=embed,
        maintain=maintain,
        keys=keys,
        ais=Ais(backend.registry, clock),
        sessions=sessions,
        forget=build_forget(found, working, maintain, keys),
        once=Once(backend.replies, clock, settings.upstream.timeout),
        relate=Relate(curate),
        entries=Entries(curate),
        health=Health(
            backend.vectors, embedder, index, maintain, queue, unqueued, bell, near, clock, upkeep
        ),
        upkeep=upkeep,
        turnstile=around.courtesy.turnstile,
        jobs=Jobs(queue, bell, clock, limits),
        watch=Watch(queue, around.figures, clock),
        working=working,
        shift=shift,
        listen=Listen(backend.events, events, clock, kept),
        webhooks=build_webhooks(settings, found, entrance["cursors"]),
        **entrance,
    )


def build_forget(found: Found, working: Working, maintain: Maintain, keys: Keys) -> Forget:
    backend = found.backend
    return Forget(
        backend.store,
        backend.sessions,
        backend.registry,
        backend.access,
        Auditing(backend.audit, found.clock),
        backend.webhooks,
        found.index,
        working,
        maintain,
        keys,
        found.around.events,
        found.clock,
    )


def build_record(
    settings: Settings,
    store: Store,
    around: Around,
    shift: Shift,
    unqueued: Unqueued,
) -> Record:
    return Record(
        store,
        shift.reflect.maintain,
        around.doorbell,
        around.events,
        around.figures,
        shift.clock,
        Limits(**settings.limits.model_dump()),
        unqueued,
        around.courtesy,
        reflecting=settings.reflector.queue_enabled,
        promptly=None if settings.reflector.fast_mode else shift.promptly,
    )


def build_webhooks(settings: Settings, found: Found, cursors: Cursors) -> Webhooks:
    return Webhooks(
        found.backend.webhooks,
        found.around.courier,
        found.around.events,
        found.clock,
        cursors,
        settings.events.webhook_attempts,
        settings.events.webhook_timeout,
    )


def build_working(settings: Settings, backend: Backend, near: Windows, minds: Minds) -> Working:
    return Working(
        backend.store,
        backend.changes,
        kept=backend.windows,
        near=near,
        summariser=minds.summariser,
        **settings.working.model_dump(),
    )


def build_recall(
    settings: Settings,
    index: Index,
    embedder: Embedder,
    clock: Clock,
    around: Around,
    *,
    reach: Reach,
) -> Recall:
    return Recall(
        index,
        embedder,
        clock,
        Limits(**settings.limits.model_dump()),
        around.figures,
        reach,
        around.courtesy,
        **settings.recall.model_dump(exclude={"language"}),
    )
