"""Sizes: a file and a function that outgrow a screen or two are looked at again."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.project import files

LONGEST_FILE = 400
LONGEST_FUNCTION = 60
VAGUE = frozenset({"utils", "helpers", "common", "core", "base", "misc", "manager", "handler"})


def too_long(name: str, source: str) -> Iterator[str]:
    """What in a source file is longer than it may be."""
    lines = source.count("\n")
    if lines > LONGEST_FILE:
        yield f"{name} has {lines} lines, the most is {LONGEST_FILE}"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > LONGEST_FUNCTION:
                yield f"{name}: {node.name} has {length} lines, the most is {LONGEST_FUNCTION}"


def vague(name: str) -> bool:
    """Whether a module's or a folder's name says nothing."""
    return not VAGUE.isdisjoint(Path(name).with_suffix("").parts)


def silent(source: str) -> bool:
    """Whether a module does not say what it is."""
    return not ast.get_docstring(ast.parse(source))


def test_no_file_and_no_function_is_too_long() -> None:
    sources = files("src", "tools", "benchmarks", "examples")

    assert [fault for name, text in sources for fault in too_long(name, text)] == []


def test_a_long_file_and_a_long_function_are_noticed() -> None:
    function = "def long():\n" + "    x = 1\n" * LONGEST_FUNCTION

    assert list(too_long("a.py", function)) == ["a.py: long has 61 lines, the most is 60"]
    assert list(too_long("a.py", "x = 1\n" * 401)) == ["a.py has 401 lines, the most is 400"]
    assert list(too_long("a.py", "x = 1\n" * 400)) == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [name for name, _ in files("src", "tools") if vague(name)] == []


def test_a_name_that_says_nothing_is_noticed() -> None:
    assert vague("src/memweaver/utils/text.py")
    assert vague("src/memweaver/services/base.py")
    assert not vague("src/memweaver/services/recall.py")


def test_every_module_says_what_it_is() -> None:
    assert [name for name, text in files("src", "tools") if silent(text)] == []


def test_a_silent_module_is_noticed() -> None:
    assert silent("x = 1\n")
    assert not silent('"""Says."""\n')
