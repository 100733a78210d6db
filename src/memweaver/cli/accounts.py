"""`memweaver accounts`: who may log in with e-mail address and password."""

import sys
from typing import Annotated

import typer

from memweaver.cli.opened import run
from memweaver.cli.options import JsonOption
from memweaver.cli.output import say, say_json, say_table, when
from memweaver.domain.account import Account, Role
from memweaver.domain.principal import HOME
from memweaver.interfaces.rest.wire.access import UserAnswer, UsersAnswer
from memweaver.services import Services

commands = typer.Typer(no_args_is_help=True)

ACTOR = "memweaver:command"
"""Who does it, as the audit names whoever may run commands."""

Email = Annotated[str, typer.Argument(help="The e-mail address.")]
NameOption = Annotated[str | None, typer.Option("--name", help="How to address them.")]
UserName = Annotated[str, typer.Argument(help="The user, as `accounts list` shows it.")]


@commands.command("add-admin")
def add_admin(email: Email, *, name: NameOption = None, as_json: JsonOption = False) -> None:
    """Make the first admin's account, for the user `owner`; the password is asked for, or read."""
    password = asked_password()

    async def work(services: Services) -> Account:
        made = await services.accounts.add_admin(email, name or email, password)
        await services.audit.note(ACTOR, "account made", made.user)
        return made

    tell("made", run(work), as_json=as_json)


@commands.command("add")
def add_account(
    email: Email,
    *,
    name: NameOption = None,
    role: Annotated[Role, typer.Option(help="What they may do.")] = Role.MEMBER,
    organisation: Annotated[str, typer.Option(help="To whom they belong.")] = HOME,
    user: Annotated[
        str | None, typer.Option("--user", help="Whose memory it is; somebody new if not given.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make an account for somebody; the password is asked for, or read from the input."""
    password = asked_password()

    async def work(services: Services) -> Account:
        made = await services.accounts.add(
            email, name or email, password, user=user, organisation=organisation, role=role
        )
        await services.audit.note(ACTOR, "account made", made.user)
        return made

    tell("made", run(work), as_json=as_json)


@commands.command("list")
def list_accounts(*, as_json: JsonOption = False) -> None:
    """List accounts, oldest first."""
    accounts = run(lambda services: services.accounts.all())
    if as_json:
        say_json(UsersAnswer(items=[UserAnswer.of(account) for account in accounts]))
        return
    say_table(
        ("user", "role", "organisation", "disabled", "e-mail"),
        [
            (one.user, one.role, one.organisation, when(one.disabled_at), one.email)
            for one in accounts
        ],
    )


@commands.command("disable")
def disable_account(user: UserName, *, as_json: JsonOption = False) -> None:
    """Let nobody in as that user any more, by password, token or key."""

    async def work(services: Services) -> Account:
        account = await services.accounts.disable(user)
        await services.audit.note(ACTOR, "account disabled", user)
        return account

    tell("disabled", run(work), as_json=as_json)


@commands.command("enable")
def enable_account(user: UserName, *, as_json: JsonOption = False) -> None:
    """Let a disabled account in again; its tokens of before stay void."""

    async def work(services: Services) -> Account:
        account = await services.accounts.enable(user)
        await services.audit.note(ACTOR, "account enabled", user)
        return account

    tell("enabled", run(work), as_json=as_json)


@commands.command("reset-password")
def reset_password(
    who: Annotated[
        str, typer.Argument(metavar="USER", help="The user, or the e-mail address of the account.")
    ],
    *,
    as_json: JsonOption = False,
) -> None:
    """Give an account a new password, asked for or read; its tokens of before are void."""
    password = asked_password()

    async def work(services: Services) -> Account:
        user = await services.accounts.user_of(who)
        account = await services.accounts.reset_password(user, password)
        await services.audit.note(ACTOR, "password reset", account.user)
        return account

    tell("reset the password of", run(work), as_json=as_json)


def tell(done: str, account: Account, *, as_json: bool) -> None:
    if as_json:
        say_json(UserAnswer.of(account))
    else:
        say(f"{done} {account.user} ({account.role}, {account.organisation})")


def asked_password() -> str:
    """Asked twice of a person, read once from a program."""
    if sys.stdin.isatty():
        answer: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        return answer
    return sys.stdin.readline().rstrip("\n")
