"""What models are told, each as a text file beside this one."""

import re
from functools import cache
from importlib.resources import files

from memweaver.domain.candidate import Aspect
from memweaver.domain.wording import spelled

EXAMPLE = re.compile(r'"text": "([^"]+)"')


@cache
def prompt(*names: str) -> str:
    """The texts of these names, one after another."""
    folder = files(__name__)
    return "\n".join(folder.joinpath(f"{name}.md").read_text(encoding="utf-8") for name in names)


@cache
def examples() -> frozenset[str]:
    """What our examples state, apart from case and punctuation: small models repeat it."""
    return frozenset(spelled(text) for text in EXAMPLE.findall(prompt(*Aspect)))
