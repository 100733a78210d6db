"""Takes from the lock file what a server needs and nothing that only developers do.

Run by `make lock`, in the environment that was made from the lock file.
"""

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
SERVING = ROOT / "requirements-serve.lock"
WANTED = ("memweaver[all]", "hatchling")
"""The project with every extra, and what builds it."""


def needed(wanted: tuple[str, ...] = WANTED) -> set[str]:
    """The names of all packages that `wanted` need on a machine like this one."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [Requirement(one) for one in wanted]
    while waiting:
        one = waiting.pop()
        key = canonicalize_name(one.name), frozenset(one.extras)
        if key not in seen:
            seen.add(key)
            waiting += list(needed_by(*key))
    return {name for name, _ in seen} - {"memweaver"}


def needed_by(name: str, extras: frozenset[str]) -> Iterator[Requirement]:
    try:
        listed = requires(name) or []
    except PackageNotFoundError:
        return
    for line in listed:
        one = Requirement(line)
        if one.marker is None or any(one.marker.evaluate({"extra": e}) for e in {"", *extras}):
            yield one


def serving(lock: str, names: set[str]) -> str:
    """The entries of `lock` for `names`, as they are."""
    entries = re.split(r"\n(?=\S)", lock.rstrip("\n"))
    kept = [one for one in entries if canonicalize_name(re.split(r"[\[=<> ]", one)[0]) in names]
    return "\n".join(kept) + "\n"


if __name__ == "__main__":
    SERVING.write_text(serving(LOCK.read_text(encoding="utf-8"), needed()), encoding="utf-8")
    print(f"==> {SERVING.name}")
