"""Versions: nothing older than the release that mended a known hole, and nothing without a hash."""

import re
import tomllib
from collections.abc import Iterator, Mapping

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from tests.architecture.project import ROOT

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")

SAFE_SINCE: Mapping[str, str] = {
    "cryptography": "46.0.0",
    "h11": "0.16.0",
    "mcp": "1.23.0",
    "pyjwt": "2.13.0",
    "python-socketio": "5.14.0",
    "starlette": "0.49.1",
}
"""Packages with a published hole, and the first release without it. Not all are used yet."""


def locked(lock: str) -> Iterator[tuple[str, str, str]]:
    """Each package of a lock file with its version and the rest of its entry."""
    for entry in re.split(r"\n(?=\S)", lock):
        if found := re.match(r"([A-Za-z0-9._-]+)(?:\[.*?\])?==(\S+)(.*)", entry, re.DOTALL):
            yield found[1].lower(), found[2], found[3]


def unsafe(lock: str) -> list[str]:
    return [
        f"{name} {version} is older than {SAFE_SINCE[name]}"
        for name, version, _ in locked(lock)
        if name in SAFE_SINCE and Version(version) < Version(SAFE_SINCE[name])
    ]


def without_hash(lock: str) -> list[str]:
    return [name for name, _, rest in locked(lock) if "--hash=sha256:" not in rest]


def test_no_locked_package_has_a_known_hole() -> None:
    assert unsafe(LOCK) == []


def test_an_old_package_is_noticed() -> None:
    assert unsafe("starlette==0.49.0 \\\n    --hash=sha256:0\n") == [
        "starlette 0.49.0 is older than 0.49.1"
    ]


def test_every_locked_package_has_a_hash() -> None:
    assert len(list(locked(LOCK))) > 50
    assert without_hash(LOCK) == []


def test_a_package_without_a_hash_is_noticed() -> None:
    assert without_hash("anyio==4.0\nrich==1.0 \\\n    --hash=sha256:0\n") == ["anyio"]


def test_the_lock_names_no_host_and_no_folder() -> None:
    assert re.findall(r"^.*(?:://|^-).*$", LOCK, re.MULTILINE) == []


def test_the_lock_has_every_dependency_of_the_project() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    extras = project["project"]["optional-dependencies"]["postgres"]
    wanted = [*project["project"]["dependencies"], *extras, *project["dependency-groups"]["dev"]]
    names = {canonicalize_name(Requirement(one).name) for one in wanted}

    assert names - {name for name, _, _ in locked(LOCK)} == set()
