"""`memweaver users`: who may come in, and by which keys."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

import typer

from memweaver.cli.accounts import ACTOR
from memweaver.cli.opened import run
from memweaver.cli.options import JsonOption, moment
from memweaver.cli.output import say, say_json, say_table, when
from memweaver.domain.principal import ACTING_HEADER, PERSONAL, Permission
from memweaver.interfaces.rest.wire.access import KeyAnswer
from memweaver.ports.access import ApiKey
from memweaver.services import Services
from memweaver.services.access import Issued

commands = typer.Typer(no_args_is_help=True)

UserName = Annotated[str, typer.Argument(help="The name of a user.")]


@commands.command("add")
def add_user(
    user: UserName,
    *,
    label: Annotated[str, typer.Option(help="What the key is for.")] = "made by hand",
    permissions: Annotated[
        list[Permission] | None,
        typer.Option(
            "--permission", help="What it may do; repeatable. All that is personal by default."
        ),
    ] = None,
    ai: Annotated[str | None, typer.Option("--ai", help="The only AI it is for.")] = None,
    expires: Annotated[
        datetime | None,
        typer.Option(parser=moment, metavar="TIME", help="When it ends, an ISO date or time."),
    ] = None,
    realm: Annotated[
        str | None, typer.Option("--realm", help="Make it a service's, acting for its users.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Give a user, new or not, an API key. It is shown once.

    The e-mail address of an account names the account's user.

    With `--realm` it is the key of a service that acts for its end users, who become the users
    `REALM:NAME`; what it signs their names with is shown once as well.
    """

    async def work(services: Services) -> Issued:
        owner = await services.accounts.user_of(user)
        if ai is not None:
            await services.ais.must_know(owner, ai)
        issued = await services.access.create(
            owner,
            label,
            permissions=permissions or PERSONAL,
            ai=ai,
            expires_at=expires,
            realm=realm,
        )
        await services.audit.note(ACTOR, "key made", issued.key.id)
        return issued

    issued = run(work)
    key = issued.key
    if as_json:
        signing = {"signing_secret": issued.signing} if issued.signing else {}
        say_json({"user": key.user, "key_id": key.id, "api_key": issued.secret, **signing})
        return
    say(f"{key.user}'s API key, shown only this once (id {key.id}):\n\n  {issued.secret}\n")
    if issued.signing:
        say(f"What it signs {ACTING_HEADER} with, shown only this once:\n\n  {issued.signing}\n")


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
        say_json({"keys": [KeyAnswer.of(key).model_dump(mode="json") for key in api_keys]})
        return
    say_table(
        ("id", "made", "expires", "revoked", "permissions", "label"),
        [
            (
                key.id,
                when(key.created_at),
                when(key.expires_at),
                when(key.revoked_at),
                " ".join(sorted(key.permissions)),
                key.label,
            )
            for key in api_keys
        ],
    )


@commands.command("revoke")
def revoke_key(key_id: Annotated[str, typer.Argument(help="The id of an API key.")]) -> None:
    """End an API key; from now on nobody comes in by it."""

    async def work(services: Services) -> None:
        if await services.access.revoke(key_id):
            await services.audit.note(ACTOR, "key revoked", key_id)

    run(work)
    say(f"revoked {key_id}")
