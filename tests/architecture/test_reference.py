"""The reference: it covers everything there is, and says what the code says now."""

from collections.abc import Callable, Iterator, Mapping

import pytest
from tests.architecture.project import files
from tools.reference import figures
from tools.reference.client import calls, parts
from tools.reference.commands import all_commands
from tools.reference.errors import family
from tools.reference.pages import FOLDER, pages
from tools.reference.rest import described

from memweaver.app.sections import PREFIX
from memweaver.app.settings import Settings
from memweaver.client import MemweaverClient
from memweaver.errors import MemweaverError
from memweaver.interfaces.socketio import SCHEMAS


def setting_names() -> Iterator[str]:
    schema = Settings.model_json_schema()
    for name, field in schema["properties"].items():
        inner = [field, *field.get("oneOf", ())]
        models = [schema["$defs"][one["$ref"].rsplit("/", 1)[1]] for one in inner if "$ref" in one]
        yield from (
            f"`{PREFIX}{name}__{sub}`".upper() for one in models for sub in one["properties"]
        )
        if not models:
            yield f"`{PREFIX}{name}`".upper()


def error_codes() -> Iterator[str]:
    yield from (f"| `{kind.code}` |" for kind in family(MemweaverError))


def command_names() -> Iterator[str]:
    yield from (f"## `{name}`\n" for name, _ in all_commands())


def routes() -> Iterator[str]:
    for path, methods in described()["paths"].items():
        yield from (f"## `{method.upper()} {path}`\n" for method in methods)


def port_names() -> Iterator[str]:
    for name, text in files("src/memweaver/ports"):
        if not name.endswith("__init__.py"):
            yield from (
                f"### `{line[6:].split('(')[0].rstrip(':')}`"
                for line in text.splitlines()
                if line.startswith("class ")
            )


def promises() -> Iterator[str]:
    for _, text in files("src/memweaver/testing/conformance"):
        for line in text.splitlines():
            if "def test_" in line:
                words = line.split("def test_")[1].split("(")[0].replace("_", " ")
                yield f"- {words[0].upper()}{words[1:]}."


def socket_events() -> Iterator[str]:
    for events in SCHEMAS.values():
        yield from (f"### `{name}`\n" for name in events)


def client_methods() -> Iterator[str]:
    client = MemweaverClient()
    yield from (f"`client.{name}(" for name, _ in calls(client))
    for part_name, part in parts(client):
        yield from (f"`client.{part_name}.{name}(" for name, _ in calls(part))


COVERED: Mapping[str, Callable[[], Iterator[str]]] = {
    "settings.md": setting_names,
    "errors.md": error_codes,
    "commands.md": command_names,
    "rest.md": routes,
    "client.md": client_methods,
    "events.md": socket_events,
    "ports.md": lambda: iter([*port_names(), *promises()]),
}


def missing(page: str, names: Iterator[str]) -> list[str]:
    return [name for name in names if name not in page]


@pytest.mark.parametrize("name", COVERED)
def test_a_page_covers_everything_there_is(name: str) -> None:
    page = (FOLDER / name).read_text(encoding="utf-8")

    assert list(COVERED[name]()) != []
    assert missing(page, COVERED[name]()) == []


@pytest.mark.parametrize("name", COVERED)
def test_something_that_a_page_leaves_out_is_noticed(name: str) -> None:
    page = (FOLDER / name).read_text(encoding="utf-8")
    first, last = next(COVERED[name]()), list(COVERED[name]())[-1]

    assert first in missing(page.replace(first, ""), COVERED[name]())
    assert last in missing(page.replace(last, ""), COVERED[name]())


def test_the_pages_say_what_the_code_says() -> None:
    for name, text in pages().items():
        kept = (FOLDER / name).read_text(encoding="utf-8")
        assert kept == text, f"docs/reference/{name} is stale: run `make docs`"


def test_the_figures_of_the_readme_are_the_newest_results() -> None:
    readme = figures.README.read_text(encoding="utf-8")

    assert figures.PLACE.search(readme)
    assert figures.filled(readme, figures.newest()) == readme, "stale figures: run `make docs`"


def test_stale_figures_are_noticed() -> None:
    readme = figures.README.read_text(encoding="utf-8")

    assert figures.filled(figures.PLACE.sub("old", readme), figures.newest()) == readme
