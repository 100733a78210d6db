"""`memweaver version`."""

import platform
from importlib import metadata

from memweaver.cli.options import JsonOption
from memweaver.cli.output import say, say_json


def version(*, as_json: JsonOption = False) -> None:
    ours, python = metadata.version("memweaver"), platform.python_version()
    if as_json:
        say_json({"memweaver": ours, "python": python})
    else:
        say(f"memweaver {ours} on Python {python}")
