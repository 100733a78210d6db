"""Suppressions: whoever silences a check says why, on the same line."""

import re
from collections.abc import Iterator

import pytest
from tests.architecture.project import files

FOLDERS = ("src", "tests", "tools", "benchmarks", "examples")
SILENCED = re.compile(r"#\s*(?P<what>noqa|type:\s*ignore|pragma:\s*no\s+cover)(?P<rest>.*)")
RULES = r"(?::\s*[A-Z]+\d+\b(?:,\s*[A-Z]+\d+\b)*|\[[a-z, -]+\])"
REASONED = re.compile(RULES + r"\s*(?:[#-]\s*)?[\w`].{4,}")
"""A named rule, then a reason that is more than a grunt."""


def unreasoned(name: str, source: str) -> Iterator[str]:
    for number, line in enumerate(source.splitlines(), start=1):
        for found in SILENCED.finditer(line):
            if not REASONED.fullmatch(found["rest"]):
                yield f"{name}:{number} silences a check without rule or reason"


def test_every_silenced_check_has_a_reason() -> None:
    sources = (one for one in files(*FOLDERS) if not one[0].endswith("test_suppressions.py"))

    assert [fault for name, text in sources for fault in unreasoned(name, text)] == []


@pytest.mark.parametrize(
    "line",
    [
        "x = 1  # noqa",
        "x = 1  # noqa: E501",
        "x = 1  # noqa: E501 - why",
        "x = 1  # type: ignore",
        "x = 1  # type: ignore[attr-defined]",
    ],
)
def test_a_silenced_check_without_a_reason_is_noticed(line: str) -> None:
    assert list(unreasoned("a.py", line)) == ["a.py:1 silences a check without rule or reason"]


@pytest.mark.parametrize(
    "line",
    [
        "x = 1  # noqa: E501 - the address cannot be broken",
        "x = 1  # noqa: A001, E501 - what a reader expects",
        "x = 1  # type: ignore[attr-defined]  # the library has no types",
        "x = 1  # an ordinary comment",
    ],
)
def test_a_silenced_check_with_a_reason_is_accepted(line: str) -> None:
    assert list(unreasoned("a.py", line)) == []
