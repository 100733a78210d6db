"""`memweaver doctor`: see whether everything works, and what to do where it does not."""

import asyncio
import logging

import typer

from memweaver.app.doctor import Finding, State, examine
from memweaver.app.settings import load_settings
from memweaver.cli.options import JsonOption
from memweaver.cli.output import say, say_json
from memweaver.errors import ConfigurationError


def doctor(*, as_json: JsonOption = False) -> None:
    # What is wrong is told by the findings; the parts' own lines would tell it again.
    logging.disable(logging.CRITICAL)
    findings = asyncio.run(examined(as_json=as_json))
    failed = any(one.state is State.FAIL for one in findings)
    if as_json:
        checks = [{"check": one.check, "state": one.state, "says": one.says} for one in findings]
        say_json({"ok": not failed, "checks": checks})
    raise typer.Exit(int(failed))


async def examined(*, as_json: bool) -> list[Finding]:
    try:
        settings = load_settings()
    except ConfigurationError as error:
        finding = Finding("settings", State.FAIL, str(error))
        return [told(finding, as_json=as_json)]
    findings = [told(Finding("settings", State.OK, "can be read"), as_json=as_json)]
    findings += [told(finding, as_json=as_json) async for finding in examine(settings)]
    return findings


def told(finding: Finding, *, as_json: bool) -> Finding:
    """Said at once, for people: some checks take their time."""
    if not as_json:
        say(f"{finding.state:<5} {finding.check:<12} {finding.says}")
    return finding
