"""The page of every port with its promises, from the Protocols and their suites."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tools.reference.markdown import sentences

ROOT = Path(__file__).parents[2]
PORTS = ROOT / "src" / "memweaver" / "ports"
SUITES = ROOT / "src" / "memweaver" / "testing" / "conformance"

INTRODUCTION = """\
# Ports

What Memweaver needs from the world, one Protocol each, and what every adapter promises.
An adapter is right when it passes the suite of its port.
How to run a suite is told in [write a backend](../howto/write-a-backend.md).
"""


def page() -> str:
    lines = [INTRODUCTION]
    for file in sorted(PORTS.glob("*.py")):
        if file.stem != "__init__":
            lines += port(file)
    lines += ["## Promises", "", "Each line is a test that every adapter of the port passes.", ""]
    for file in sorted(SUITES.glob("*.py")):
        lines += suites(file)
    return "\n".join(lines)


def port(file: Path) -> Iterator[str]:
    module = ast.parse(file.read_text(encoding="utf-8"))
    yield from [
        f"## `memweaver.ports.{file.stem}`",
        "",
        *sentences(ast.get_docstring(module) or ""),
    ]
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            yield from described(node)


def described(node: ast.ClassDef) -> Iterator[str]:
    yield from [f"### `{node.name}`", "", *sentences(ast.get_docstring(node) or "")]
    if fields := [ast.unparse(part) for part in node.body if isinstance(part, ast.AnnAssign)]:
        yield from ["```python", *fields, "```", ""]
    for part, after in pairwise([*node.body, ast.Pass()]):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from [f"- {signature(part)}", *promise(part)]
        elif isinstance(part, ast.Assign) and isinstance(after, ast.Expr):
            yield from [f"- `{ast.unparse(part.targets[0])}`", f"  {ast.literal_eval(after.value)}"]
    yield ""


def signature(method: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    spoken = "async " if isinstance(method, ast.AsyncFunctionDef) else ""
    arguments = ast.unparse(method.args).removeprefix("self").removeprefix(", ")
    answer = f" -> {ast.unparse(method.returns)}" if method.returns else ""
    if any(ast.unparse(one) == "property" for one in method.decorator_list):
        return f"`{method.name}{answer}`"
    return f"`{spoken}{method.name}({arguments}){answer}`"


def promise(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """A method's docstring, indented under its signature, what it raises as a list."""
    words, _, raises = (ast.get_docstring(method) or "").partition("Raises:\n")
    yield from (f"  {line}" for line in sentences(words) if line)
    for one in re.split(r"\n(?=    \w+: )", "\n" + raises)[1:]:
        yield f"  - raises `{' '.join(one.split()).replace(': ', '`: ', 1)}"


def suites(file: Path) -> Iterator[str]:
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and (tests := promises(node)):
            yield from [f"### `{file.stem}.{node.name}`", "", *tests, ""]


def promises(suite: ast.ClassDef) -> list[str]:
    names = (
        part.name for part in suite.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return [f"- {sentence(name)}" for name in names if name.startswith("test_")]


def sentence(test: str) -> str:
    words = test.removeprefix("test_").replace("_", " ")
    return words[0].upper() + words[1:] + "."
