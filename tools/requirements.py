"""Shows which requirement is proven by which test, from the marks the tests carry."""

import argparse
import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "docs" / "reference" / "requirements.md"
PLACES = ("tests", "src/memweaver/testing")
"""Where marks may stand: tests, and the public suites that tests inherit."""

Meanings = Mapping[str, str]
Proofs = Mapping[str, Sequence[str]]


def known(page: str) -> Meanings:
    """The ids of our own list, each with its line of meaning."""
    return dict(re.findall(r"^- \*\*([A-Z]\d+)\*\* (.+)$", page, re.MULTILINE))


def demanded(document: str) -> set[str]:
    """The ids that a document of requirements defines, at a line's or a sentence's beginning."""
    return set(re.findall(r"(?:^|\. )([A-EHX]\d+) ", document, re.MULTILINE))


def marks(tree: ast.AST, within: str = "") -> Iterator[tuple[str, str]]:
    """Every id marked in a syntax tree, with the name of the test that carries it."""
    for node in ast.iter_child_nodes(tree):
        name = within
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{within}::{node.name}"
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.requirement"):
            yield from ((str(ast.literal_eval(id_)), name) for id_ in node.args)
        yield from marks(node, name)


def proofs(root: Path) -> Proofs:
    found: dict[str, list[str]] = defaultdict(list)
    for place in PLACES:
        for file in sorted((root / place).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            for id_, name in marks(tree):
                found[id_].append(f"{file.relative_to(root)}{name}")
    return found


def faults(meanings: Meanings, found: Proofs, demands: set[str]) -> list[str]:
    """What makes the report untrue: ids nobody knows, or demands our list forgot."""
    unknown = [
        f"{id_} is no requirement, but {tests[0]} claims to prove it"
        for id_, tests in found.items()
        if id_ not in meanings
    ]
    forgotten = [
        f"{id_} is missing in {LIST.relative_to(ROOT)}" for id_ in sorted(demands - meanings.keys())
    ]
    return unknown + forgotten


def report(meanings: Meanings, found: Proofs) -> Iterator[str]:
    proven = [id_ for id_ in meanings if id_ in found]
    open_ = [id_ for id_ in meanings if id_ not in found]
    for id_ in proven:
        yield f"{id_:<4} {meanings[id_]}"
        yield from (f"       {test}" for test in found[id_])
    yield ""
    yield "Not proven by any test:"
    yield from (f"{id_:<4} {meanings[id_]}" for id_ in open_)
    yield ""
    for section in sorted({id_[0] for id_ in meanings}):
        ids = [id_ for id_ in meanings if id_[0] == section]
        yield f"{section}: {sum(id_ in found for id_ in ids)} of {len(ids)} proven"
    yield f"All: {len(proven)} of {len(meanings)} proven, {len(open_)} open"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, help="the document the list was taken from")
    source: Path | None = parser.parse_args().source
    meanings = known(LIST.read_text(encoding="utf-8"))
    demands = demanded(source.read_text(encoding="utf-8")) if source and source.exists() else set()
    found = proofs(ROOT)
    print("\n".join(report(meanings, found)))
    if wrong := faults(meanings, found, demands):
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
