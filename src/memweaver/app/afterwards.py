"""From settings to what follows turns in the background: vectors, and what is woven of them.

What it reads and embeds goes step by step beside a crowd.
"""

from dataclasses import replace
from datetime import timedelta

from memweaver.app.found import Around, Found
from memweaver.app.opening import Minds
from memweaver.app.sections import ReflectorSettings
from memweaver.app.settings import Settings
from memweaver.domain.job import Patience
from memweaver.ports.backend import Backend
from memweaver.ports.clock import Clock
from memweaver.ports.models import Embedder
from memweaver.ports.queue import Queue
from memweaver.services import Services
from memweaver.services.embed import Embed
from memweaver.services.maintain import Maintain
from memweaver.services.reflect import Reflect
from memweaver.services.reflect.blame import Blame
from memweaver.services.reflect.extract import Extraction
from memweaver.services.reflect.pulse import Pulse
from memweaver.services.reflect.scene import Scenes
from memweaver.services.reflect.shift import Shift
from memweaver.services.reflect.weave import Weave
from memweaver.services.reflect.worker import Worker
from memweaver.services.stepwise import StepwiseEmbedder, stepwise
from memweaver.services.working import Working


def build_embed(found: Found) -> Embed:
    courtesy = found.around.courtesy
    embedder = StepwiseEmbedder(found.embedder, courtesy)
    return Embed(embedder, stepwise(found.backend.vectors, courtesy), courtesy)


def build_blame(
    settings: ReflectorSettings, minds: Minds, embedder: Embedder, clock: Clock
) -> Blame:
    patience = Patience(
        settings.max_retries,
        delay=timedelta(seconds=settings.retry_delay),
        outage=timedelta(seconds=settings.outage),
    )
    return Blame(Pulse(minds.extractor, embedder, clock, settings.timeout), clock, patience)


def build_reflect(
    settings: ReflectorSettings, found: Found, maintain: Maintain, working: Working
) -> Reflect:
    queue, around, clock = found.backend.queue, found.around, found.clock
    figures, courtesy = around.figures, around.courtesy
    store, index = stepwise(found.backend.store, courtesy), stepwise(found.index, courtesy)
    embedder = StepwiseEmbedder(found.embedder, courtesy)
    return Reflect(
        queue,
        Scenes(store, queue, index, embedder, settings.zone),
        Extraction(found.minds.extractor, queue, figures, settings.timeout),
        Weave(store, queue, index, embedder, found.minds.decider, clock, figures),
        replace(working, store=store),
        maintain,
        around.doorbell,
        around.events,
        figures,
        clock,
        build_blame(settings, found.minds, embedder, clock),
        courtesy,
    )


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
        around.courtesy,
        shifts=settings.reflector.workers,
        poll=settings.reflector.poll,
        keep=timedelta(days=settings.reflector.keep_days),
    )
