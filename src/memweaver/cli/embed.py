"""`memweaver embed`: how far the vectors of the current model are."""

import typer

from memweaver.cli.opened import run
from memweaver.cli.options import JsonOption
from memweaver.cli.output import progress_bar, say, say_json
from memweaver.ports.vectors import Progress
from memweaver.services import Services

commands = typer.Typer(no_args_is_help=True)


@commands.command("status")
def show_status(*, as_json: JsonOption = False) -> None:
    """Show how many records have vectors by the current model."""
    tell(run(lambda services: services.embed.progress()), as_json=as_json)


@commands.command("run")
def embed_all(*, as_json: JsonOption = False) -> None:
    """Embed what waits, such as everything after a change of the model, and show how far it is."""

    async def work(services: Services) -> Progress:
        with progress_bar() as bar:
            task = bar.add_task("embedding", total=None)
            while await services.embed():
                progress = await services.embed.progress()
                bar.update(task, completed=progress.embedded, total=progress.total)
        await services.maintain.settled()
        return await services.embed.progress()

    tell(run(work), as_json=as_json)


def tell(progress: Progress, *, as_json: bool) -> None:
    if as_json:
        say_json({"embedded": progress.embedded, "total": progress.total})
    else:
        say(f"{progress.embedded} of {progress.total} records are embedded")
