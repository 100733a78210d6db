"""`memweaver jobs`: which turns are still to be reflected upon, and what became of the others."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated

import typer

from memweaver.cli.drain import drain_jobs
from memweaver.cli.opened import run
from memweaver.cli.options import (
    OWNER,
    AiOption,
    CursorOption,
    JsonOption,
    LimitOption,
    UserOption,
)
from memweaver.cli.output import say, say_fields, say_json, say_table, when
from memweaver.domain.job import Job, State
from memweaver.domain.scope import Scope
from memweaver.interfaces.rest.cursor import cursor_of, position_of
from memweaver.ports.store import Page
from memweaver.services import Services

commands = typer.Typer(no_args_is_help=True)

JobId = Annotated[str, typer.Argument(help="The id of a job, which is that of its turn.")]
AnyUserOption = Annotated[
    str | None, typer.Option("--user", help="Of one user; of all if not given.")
]


@commands.command("list")
def list_jobs(
    *,
    state: Annotated[
        list[State] | None, typer.Option("--state", help="Only in this state; repeatable.")
    ] = None,
    user: AnyUserOption = None,
    limit: LimitOption = 50,
    cursor: CursorOption = None,
    as_json: JsonOption = False,
) -> None:
    """List jobs, latest first."""
    page = found(state or tuple(State), user, limit, cursor)
    tell(page, ("id", "user", "state", "attempts", "since", "due"), row, as_json=as_json)


@commands.command("show")
def show_job(
    job_id: JobId, *, user: UserOption = OWNER, ai: AiOption = None, as_json: JsonOption = False
) -> None:
    """Show all that is known of a job; `seconds` since its turn was recorded, or until its end."""

    async def work(services: Services) -> tuple[Job, datetime]:
        job = await services.jobs.job(Scope(user, ai), job_id)
        return job, services.jobs.clock.now()

    job, now = run(work)
    fields = {**plain(job), "seconds": ((job.settled_at or now) - job.created_at).total_seconds()}
    say_json(fields) if as_json else say_fields(fields)


@commands.command("dead")
def list_dead(
    *,
    user: AnyUserOption = None,
    limit: LimitOption = 50,
    cursor: CursorOption = None,
    as_json: JsonOption = False,
) -> None:
    """List jobs that were given up, with the reason and the last error."""
    page = found([State.DEAD], user, limit, cursor)
    tell(page, ("id", "user", "attempts", "died", "code", "error"), dead_row, as_json=as_json)


@commands.command("retry")
def retry_jobs(
    job_id: Annotated[str | None, typer.Argument(help="The id of a dead job.")] = None,
    *,
    all_dead: Annotated[bool, typer.Option("--all-dead", help="Every dead job.")] = False,
    user: AnyUserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let a dead job wait anew, as if it had never failed, or all dead ones."""
    if all_dead == (job_id is not None):
        raise typer.BadParameter("say the id of a job, or --all-dead")

    async def work(services: Services) -> list[Job]:
        if job_id is not None:
            return [await services.jobs.retry(user or OWNER, job_id)]
        return [job async for job in services.jobs.retry_dead(user)]

    retried = run(work)
    if as_json:
        say_json({"retried": [job.id for job in retried]})
    else:
        say(f"{len(retried)} {'job waits' if len(retried) == 1 else 'jobs wait'} anew")


commands.command("drain")(drain_jobs)


def found(states: Sequence[State], user: str | None, limit: int, cursor: str | None) -> Page[Job]:
    before = position_of(cursor)
    return run(
        lambda services: services.jobs.jobs(states=states, user=user, before=before, limit=limit)
    )


def tell(
    page: Page[Job],
    heads: Sequence[str],
    row_of: Callable[[Job], Sequence[object]],
    *,
    as_json: bool,
) -> None:
    following = cursor_of(page.next)
    if as_json:
        say_json({"items": [plain(job) for job in page.items], "next": following})
        return
    say_table(heads, [row_of(job) for job in page.items])
    if following:
        say(f"more: --cursor {following}")


def row(job: Job) -> Sequence[object]:
    due = when(job.due_at) if job.state is State.WAITING else ""
    return job.id, job.scope.user, job.state, job.attempts, when(job.created_at), due


def dead_row(job: Job) -> Sequence[object]:
    code, message = (job.failure.code, job.failure.message) if job.failure else ("", "")
    return job.id, job.scope.user, job.attempts, when(job.settled_at), code, message


def plain(job: Job) -> dict[str, object]:
    return {
        "id": job.id,
        "user": job.scope.user,
        "ai": job.scope.ai,
        "state": job.state.value,
        "priority": job.priority.name.lower(),
        "attempts": job.attempts,
        "failures": job.failures,
        "created_at": job.created_at.isoformat(),
        "due_at": job.due_at.isoformat(),
        "away_since": job.away_since.isoformat() if job.away_since else None,
        "settled_at": job.settled_at.isoformat() if job.settled_at else None,
        "code": job.failure.code if job.failure else None,
        "error": job.failure.message if job.failure else None,
    }
