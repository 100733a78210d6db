"""Words that have no place here: where this machine keeps things, and where packages come from."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.architecture.project import ROOT, walk

FORBIDDEN = re.compile(
    r"p[y]pi\.(?:org|io)|python[h]osted|[P]IP_INDEX|[U]V_INDEX"
    r"|(?<![\w.$}*])/(?:ro[o]t|ho[m]e|wo[r]k|opt/py[p]i)/",
    re.IGNORECASE,
)
"""Where packages come from, and where this machine keeps things; matches nothing of itself."""
TEXTS = frozenset({".py", ".md", ".toml", ".lock", ".txt", ".json", ".sql", ".mako", ".ini", ""})


def found(name: str, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), start=1):
        if word := FORBIDDEN.search(line):
            yield f"{name}:{number} says {word[0]}"


def texts() -> Iterator[tuple[str, str]]:
    for file in walk(ROOT):
        if file.suffix in TEXTS:
            yield str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")


def test_nothing_says_where_packages_come_from_or_where_things_lie() -> None:
    assert [fault for name, text in texts() for fault in found(name, text)] == []


@pytest.mark.parametrize("line", ["https://{}/simple", "cd {}main", "open('{}x')"])
@pytest.mark.parametrize("letter", ["p", "r"])
def test_a_forbidden_word_is_noticed(line: str, letter: str) -> None:
    word = {"p": "py{}i.org", "r": "/wo{}k/"}[letter].format(letter)

    assert list(found("a.py", "x\n" + line.format(word))) == [f"a.py:2 says {word}"]


@pytest.mark.parametrize("line", ["framework/main", "$HOME/x", "mem0 from PyPI", "homework/"])
def test_an_innocent_word_is_accepted(line: str) -> None:
    assert list(found("a.py", line)) == []


def test_every_source_and_page_is_looked_at() -> None:
    names = {name for name, _ in texts()}

    assert {"README.md", "Makefile", "requirements.lock", ".ci/run", "pyproject.toml"} <= names
    assert str(Path(__file__).relative_to(ROOT)) in names
