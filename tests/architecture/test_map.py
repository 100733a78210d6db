"""The map and the pages: what they name and link to exists."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.project import ROOT, files

MAP = ROOT / "docs" / "architecture.md"
LINK = re.compile(r"\[[^\]]*\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?\)")
FILE = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|md|toml|lock|json)|(?:[\w-]+/)+)`")
PLACES = (ROOT, ROOT / "src" / "memweaver")
"""Files are named from the project's folder, or from the package's."""


def named_but_missing(text: str) -> Iterator[str]:
    """Files and folders that a page names between backticks and that are nowhere."""
    for name in FILE.findall(text):
        if not any((place / name).exists() for place in PLACES):
            yield name


def dead_links(page: Path, text: str) -> Iterator[str]:
    for target, anchor in LINK.findall(text):
        file = page.parent / target if target else page
        if not file.exists():
            yield target
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text("utf-8")):
            yield target + anchor


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as the usual viewers make them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {
        "#" + re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in headings
    }


def pages() -> Iterator[tuple[Path, str]]:
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        yield ROOT / name, (ROOT / name).read_text(encoding="utf-8")
    for name, text in files("docs", suffix=".md"):
        yield ROOT / name, text


def test_the_map_names_only_files_that_exist() -> None:
    assert list(named_but_missing(MAP.read_text(encoding="utf-8"))) == []


def test_the_page_on_security_names_only_tests_that_exist() -> None:
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert "`tests/security/" in text
    assert list(named_but_missing(text)) == []


def test_a_file_that_does_not_exist_is_noticed() -> None:
    assert list(named_but_missing("`services/recall.py`, `services/reflect.py`, `app/`")) == [
        "services/reflect.py"
    ]


def test_the_map_names_every_part() -> None:
    text = MAP.read_text(encoding="utf-8")
    package = ROOT / "src" / "memweaver"
    folders = [file.parent for file in package.rglob("__init__.py") if file.parent != package]
    unnamed = [
        str(folder.relative_to(package))
        for folder in folders
        if len(folder.relative_to(package).parts) < 3
        and f"{folder.relative_to(package)}/" not in text
    ]

    assert unnamed == []


def test_every_link_leads_somewhere() -> None:
    assert [
        f"{page.name}: {link}" for page, text in pages() for link in dead_links(page, text)
    ] == []


def test_a_dead_link_is_noticed() -> None:
    text = (
        "[a](LICENSE) [b](missing.md) [c](docs/glossary.md#nothing) [d](docs/glossary.md#glossary)"
    )

    assert list(dead_links(ROOT / "README.md", text)) == ["missing.md", "docs/glossary.md#nothing"]


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached = {ROOT / "README.md"}
    waiting = list(reached)
    while waiting:
        page = waiting.pop()
        links = LINK.findall(page.read_text(encoding="utf-8"))
        targets = {
            (page.parent / target).resolve() for target, _ in links if target.endswith(".md")
        }
        waiting += targets - reached
        reached |= targets

    assert {page for page, _ in pages()} - reached == set()


def test_decisions_are_listed_and_have_their_parts() -> None:
    parts = ["## Context", "## Decision", "## Consequences", "## What would change our mind"]
    folder = ROOT / "docs" / "decisions"
    overview = (folder / "README.md").read_text(encoding="utf-8")
    for file in sorted(folder.glob("0*.md")):
        text = file.read_text(encoding="utf-8")
        assert f"({file.name})" in overview
        assert [line for line in text.splitlines() if line.startswith("## ")] == parts
