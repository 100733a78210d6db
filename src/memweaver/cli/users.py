"""`memweaver users`: who may come in, and by which keys."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer

from memweaver.cli.opened import run
from memweaver.cli.options import JsonOption
from memweaver.cli.output import say, say_json, say_table, when
from memweaver.ports.access import ApiKey
from memweaver.services import Services

commands = typer.Typer(help="Users and their API keys.", no_args_is_help=True)

UserName = Annotated[str, typer.Argument(help="The name of a user.")]


@commands.command("add")
def add_user(
    user: UserName,
    *,
    label: Annotated[str, typer.Option(help="What the key is for.")] = "made by hand",
    as_json: JsonOption = False,
) -> None:
    """Give a user, new or not, an API key. It is shown once."""
    issued = run(lambda services: services.access.create(user, label))
    if as_json:
        say_json({"user": user, "key_id": issued.key.id, "api_key": issued.secret})
        return
    say(f"{user}'s API key, shown only this once (id {issued.key.id}):\n\n  {issued.secret}\n")


@commands.command("list")
def list_users(*, as_json: JsonOption = False) -> None:
    """List users with the number of their API keys in use."""

    async def work(services: Services) -> tuple[Sequence[ApiKey], Sequence[str]]:
        return await services.access.keys(), await services.keys.users()

    api_keys, remembered = run(work)
    in_use = Counter(key.user for key in api_keys if key.revoked_at is None)
    names = sorted({key.user for key in api_keys} | set(remembered))
    if as_json:
        say_json({"users": [{"user": name, "api_keys": in_use[name]} for name in names]})
        return
    say_table(("user", "API keys"), [(name, in_use[name]) for name in names])


@commands.command("keys")
def list_keys(user: UserName, *, as_json: JsonOption = False) -> None:
    """List a user's API keys, never the secrets, which are kept nowhere."""
    api_keys = run(lambda services: services.access.keys(user))
    if as_json:
        say_json({"keys": [plain(key) for key in api_keys]})
        return
    say_table(
        ("id", "made", "revoked", "label"),
        [
            (
                key.id,
                when(key.created_at),
                when(key.revoked_at) if key.revoked_at else "",
                key.label,
            )
            for key in api_keys
        ],
    )


@commands.command("revoke")
def revoke_key(key_id: Annotated[str, typer.Argument(help="The id of an API key.")]) -> None:
    """End an API key; from now on nobody comes in by it."""
    run(lambda services: services.access.revoke(key_id))
    say(f"revoked {key_id}")


def plain(key: ApiKey) -> dict[str, object]:
    return {
        "id": key.id,
        "user": key.user,
        "label": key.label,
        "created_at": key.created_at.isoformat(),
        "revoked_at": key.revoked_at.isoformat() if key.revoked_at else None,
    }
