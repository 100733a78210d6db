"""`memweaver keys`: renew what seals, or destroy it so that nothing opens any more."""

from typing import Annotated

import typer

from memweaver.cli.opened import run
from memweaver.cli.options import JsonOption, YesOption
from memweaver.cli.output import follow, say, say_fields, say_json, sure
from memweaver.ports.keys import KeyCapability
from memweaver.services import Services

commands = typer.Typer(no_args_is_help=True)


@commands.command("rotate")
def rotate_keys(
    *,
    master: Annotated[bool, typer.Option("--master", help="The master key.")] = False,
    user: Annotated[str | None, typer.Option("--user", help="The key of one user.")] = None,
    all_users: Annotated[
        bool, typer.Option("--all-users", help="The key of every user, and the house's own.")
    ] = False,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="What logins are signed with; older ones hold on.")
    ] = False,
) -> None:
    """Renew keys while everybody goes on; cut off, it goes on where it was when called again."""
    if [master, user is not None, all_users, tokens].count(True) != 1:
        raise typer.BadParameter("say one of --master, --user NAME, --all-users and --tokens")

    async def work(services: Services) -> None:
        if master:
            await follow("master key", services.keys.rotate_master())
            return
        if tokens:
            await services.accounts.logins.rotate()
            return
        if all_users:
            await follow("the house", services.keys.rotate_house())
        for name in [user] if user is not None else await services.keys.users():
            await follow(name, services.keys.rotate_user(name))

    run(work)
    say("rotated")


@commands.command("destroy")
def destroy_keys(
    *,
    user: Annotated[str, typer.Option("--user", help="Whose key.")],
    yes: YesOption = False,
) -> None:
    """Destroy a user's key: everything of theirs is unreadable, also in copies taken before."""
    sure(f"Make everything of {user} unreadable for ever?", yes=yes)
    run(lambda services: services.keys.destroy(user))
    say(f"nothing of {user} can be read any more")


@commands.command("status")
def show_status(*, as_json: JsonOption = False) -> None:
    """Show which master key seals now, and for how many users."""

    async def work(services: Services) -> dict[str, object]:
        master = services.keys.master
        return {
            "master_version": master.current().version,
            "rotates_itself": KeyCapability.ROTATE in master.capabilities,
            "users": len(await services.keys.users()),
        }

    status = run(work)
    say_json(status) if as_json else say_fields(status)
