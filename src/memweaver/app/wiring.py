"""From settings to services. Reads top to bottom; opens what it closes."""

from collections.abc import AsyncGenerator
from contextlib import (
    AsyncExitStack,
    asynccontextmanager,
)
from dataclasses import dataclass, field
from datetime import timedelta

from memweaver.adapters.memory.doorbell import InMemoryDoorbell
from memweaver.adapters.memory.events import LocalEvents
from memweaver.adapters.memory.near import NearWindows
from memweaver.adapters.system import SystemClock
from memweaver.app.metrics import PrometheusMeter
from memweaver.app.observed import MeteredDoorbell, WatchedWindows
from memweaver.app.opening import (
    Minds,
    open_backend,
    open_doorbell,
    open_embedder,
    open_index,
    open_master_keys,
    open_minds,
    open_windows,
)
from memweaver.app.sections import ReflectorSettings
from memweaver.app.settings import Settings
from memweaver.background import beside
from memweaver.domain.job import Patience
from memweaver.domain.limits import Limits
from memweaver.ports.backend import Backend
from memweaver.ports.clock import Clock
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.index import Index
from memweaver.ports.keys import MasterKeys
from memweaver.ports.meter import Figures
from memweaver.ports.models import Embedder
from memweaver.ports.queue import Queue
from memweaver.ports.store import Store
from memweaver.ports.windows import Windows
from memweaver.services import Services
from memweaver.services.access import Access
from memweaver.services.ais import Ais
from memweaver.services.curate import Curate
from memweaver.services.embed import Embed
from memweaver.services.health import Health
from memweaver.services.jobs import Jobs
from memweaver.services.keys import Keys
from memweaver.services.maintain import Maintain
from memweaver.services.recall import Recall
from memweaver.services.record import Record
from memweaver.services.reflect import Reflect
from memweaver.services.reflect.blame import Blame
from memweaver.services.reflect.extract import Extraction
from memweaver.services.reflect.pulse import Pulse
from memweaver.services.reflect.scene import Scenes
from memweaver.services.reflect.shift import Shift
from memweaver.services.reflect.unqueued import Unqueued
from memweaver.services.reflect.weave import Weave
from memweaver.services.reflect.worker import Worker
from memweaver.services.watch import Watch
from memweaver.services.working import Working


@dataclass(frozen=True, slots=True)
class Around:
    """What services tell others by; by default within this process."""

    doorbell: Doorbell = field(default_factory=InMemoryDoorbell)
    windows: Windows = field(default_factory=NearWindows)
    events: LocalEvents = field(default_factory=LocalEvents)
    figures: Figures = field(default_factory=PrometheusMeter)


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
            worker = parts.worker
            await stack.enter_async_context(beside(worker.run(), stop=worker.stop))
        yield parts.services


@asynccontextmanager
async def open_parts(settings: Settings) -> AsyncGenerator[Parts]:
    """Everything `settings` name, opened, and nothing running yet."""
    async with AsyncExitStack() as stack:
        clock, figures = SystemClock(), PrometheusMeter()
        master_keys = open_master_keys(settings)
        backend = await stack.enter_async_context(open_backend(settings, master_keys))
        embedder = await stack.enter_async_context(open_embedder(settings.embedder))
        index = await stack.enter_async_context(open_index(settings, backend, embedder))
        minds = await stack.enter_async_context(open_minds(settings, figures))
        doorbell = await stack.enter_async_context(open_doorbell(settings))
        windows = await stack.enter_async_context(open_windows(settings, backend))
        around = Around(MeteredDoorbell(doorbell, figures), windows, figures=figures)
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
        yield Parts(services, build_worker(settings, services, backend, around, clock))


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
    embed = Embed(embedder, backend.vectors)
    maintain = Maintain(embed, index)
    near = WatchedWindows(around.windows)
    working = build_working(settings, backend, near, minds)
    reflector = settings.reflector
    reflect = Reflect(
        queue,
        Scenes(store, queue, index, embedder, reflector.zone),
        Extraction(minds.extractor, queue, around.figures, reflector.timeout),
        Weave(store, queue, index, embedder, minds.decider, clock, around.figures),
        working,
        maintain,
        bell,
        events,
        around.figures,
        clock,
        build_blame(reflector, minds, embedder, clock),
    )
    shift = build_shift(reflector, queue, reflect)
    unqueued = Unqueued.of(reflect, queue, reflector.batch_size, reflector.timeout)
    return Services(
        record=build_record(settings, store, around, shift, unqueued),
        recall=build_recall(settings, index, embedder, clock, around),
        curate=Curate(store, maintain, events, clock, limits, index, working),
        embed=embed,
        maintain=maintain,
        keys=Keys(master_keys, backend.vault, index, working),
        access=Access(backend.access, clock),
        ais=Ais(backend.registry, clock),
        health=Health(
            backend.vectors, embedder, index, maintain, queue, unqueued, bell, near, clock
        ),
        jobs=Jobs(queue, bell, clock, limits),
        watch=Watch(queue, around.figures, clock),
        working=working,
        shift=shift,
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
        reflecting=settings.reflector.queue_enabled,
        promptly=None if settings.reflector.fast_mode else shift.promptly,
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
    settings: Settings, index: Index, embedder: Embedder, clock: Clock, around: Around
) -> Recall:
    return Recall(
        index,
        embedder,
        clock,
        Limits(**settings.limits.model_dump()),
        around.figures,
        **settings.recall.model_dump(exclude={"language"}),
    )


def build_blame(
    settings: ReflectorSettings, minds: Minds, embedder: Embedder, clock: Clock
) -> Blame:
    patience = Patience(
        settings.max_retries,
        delay=timedelta(seconds=settings.retry_delay),
        outage=timedelta(seconds=settings.outage),
    )
    return Blame(Pulse(minds.extractor, embedder, clock, settings.timeout), clock, patience)


def build_shift(settings: ReflectorSettings, queue: Queue, reflect: Reflect) -> Shift:
    return Shift(
        queue,
        reflect,
        reflect.clock,
        lease=timedelta(seconds=settings.lease),
        batch=settings.batch_size,
        patience=settings.timeout,
        longest_wait=timedelta(seconds=settings.longest_wait),
    )


def build_worker(
    settings: Settings, services: Services, backend: Backend, around: Around, clock: Clock
) -> Worker:
    return Worker(
        services.shift,
        backend.queue,
        around.doorbell,
        clock,
        shifts=settings.reflector.workers,
        poll=settings.reflector.poll,
        keep=timedelta(days=settings.reflector.keep_days),
    )
