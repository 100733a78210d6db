"""Workers, each a process of its own, to be killed and stopped by their own pid."""

import asyncio
import logging
import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerContext, ForkServerProcess

from benchmarks.chaos.house import Mind, open_house
from benchmarks.chaos.mutants import MUTANTS
from memweaver.app.settings import Settings
from memweaver.errors import BackendUnavailable

AGAIN = 0.2
PATIENCE = 30
"""Seconds for a worker to leave when it is told to."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker is to do: reflect as `settings` and `mind` say, changed by a mutant."""

    settings: Settings
    mind: Mind
    mutant: str | None = None


def work(job: Job) -> None:
    """The whole life of a worker."""
    logging.basicConfig(level=logging.ERROR)
    if job.mutant:
        MUTANTS[job.mutant]()
    asyncio.run(kept_working(job))


async def kept_working(job: Job) -> None:
    """Started again, as whatever keeps services does, if the database is away when it opens."""
    while True:
        try:
            return await reflect(job)
        except BackendUnavailable:
            await asyncio.sleep(AGAIN)


async def reflect(job: Job) -> None:
    """Until told to leave, or whoever started this is gone."""
    parent = multiprocessing.parent_process()
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    if parent is not None:
        loop.add_reader(parent.sentinel, stop.set)
    async with open_house(job.settings, job.mind) as house, asyncio.TaskGroup() as tasks:
        working = tasks.create_task(house.worker.run())
        maintaining = tasks.create_task(house.services.maintain.run())
        await stop.wait()
        house.worker.stop()
        await working
        maintaining.cancel()


@dataclass(slots=True)
class Crew:
    """So many workers at any time; who is killed is replaced."""

    job: Job
    size: int
    context: ForkServerContext = field(
        default_factory=lambda: multiprocessing.get_context("forkserver")
    )
    workers: list[ForkServerProcess] = field(default_factory=list)
    stopped: list[ForkServerProcess] = field(default_factory=list)
    failed: int = 0
    """Workers that ended though nobody killed them."""

    def fill(self) -> None:
        for worker in [one for one in self.workers if one.exitcode is not None]:
            self.workers.remove(worker)
            self.failed += 1
        while len(self.workers) < self.size:
            worker = self.context.Process(target=work, args=(self.job,), daemon=True)
            worker.start()
            self.workers.append(worker)

    def kill(self, place: int) -> None:
        victim = self.workers.pop(place % len(self.workers))
        victim.kill()
        victim.join()
        self.fill()

    def stop(self, place: int) -> ForkServerProcess:
        """Have one stand still; not all of them at a time."""
        awake = self.awake()
        victim = awake[place % len(awake)]
        os.kill(pid_of(victim), signal.SIGSTOP)
        self.stopped.append(victim)
        return victim

    def resume(self, victim: ForkServerProcess) -> None:
        if victim in self.stopped:
            os.kill(pid_of(victim), signal.SIGCONT)
            self.stopped.remove(victim)

    def awake(self) -> Sequence[ForkServerProcess]:
        return [one for one in self.workers if one not in self.stopped]

    def dismiss(self) -> None:
        """Ask all to leave; who does not is killed and counts as failed."""
        for worker in [*self.stopped]:
            self.resume(worker)
        for worker in self.workers:
            worker.terminate()
        for worker in self.workers:
            worker.join(PATIENCE)
            self.failed += worker.exitcode != 0
            worker.kill()
            worker.join()
        self.workers.clear()


def pid_of(worker: ForkServerProcess) -> int:
    if worker.pid is None:
        raise RuntimeError("the worker was never started")
    return worker.pid


@contextmanager
def crew(job: Job, size: int) -> Iterator[Crew]:
    hands = Crew(job, size)
    hands.context.set_forkserver_preload(["__main__", __name__])
    hands.fill()
    try:
        yield hands
    finally:
        hands.dismiss()
