"""The list of requirements: marks are found, and marks that mean nothing are refused."""

import ast
from pathlib import Path

from tests.architecture.project import ROOT
from tools.requirements import demanded, faults, known, marks, proofs, report

PAGE = (ROOT / "docs" / "reference" / "requirements.md").read_text(encoding="utf-8")

MARKED = """
import pytest

@pytest.mark.requirement("C6", "C7")
async def test_something() -> None: ...

@pytest.mark.requirement("B3")
class TestThings:
    @pytest.mark.requirement("B4")
    def test_one(self) -> None: ...
"""


def test_every_section_of_the_list_is_complete() -> None:
    ids = list(known(PAGE))
    sections = {"A": 24, "H": 15, "B": 19, "C": 25, "D": 13, "E": 12, "X": 26}

    assert ids == [
        f"{section}{n}" for section, last in sections.items() for n in range(1, last + 1)
    ]


def test_marks_are_found_on_functions_and_classes() -> None:
    assert set(marks(ast.parse(MARKED))) == {
        ("C6", "::test_something"),
        ("C7", "::test_something"),
        ("B3", "::TestThings"),
        ("B4", "::TestThings::test_one"),
    }


def test_every_mark_in_this_project_names_a_requirement() -> None:
    assert faults(known(PAGE), proofs(ROOT), set()) == []


def test_an_unknown_mark_is_noticed(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_a.py").write_text(MARKED.replace("B3", "Z9"), encoding="utf-8")

    assert faults(known(PAGE), proofs(tmp_path), set()) == [
        "Z9 is no requirement, but tests/test_a.py::TestThings claims to prove it"
    ]


def test_a_forgotten_requirement_is_noticed() -> None:
    demands = demanded("A1 [S] One.\nC99 [I] New.\nX1 Text. X2 More text.\n")

    assert demands == {"A1", "C99", "X1", "X2"}
    assert faults(known(PAGE), {}, demands) == ["C99 is missing in docs/reference/requirements.md"]


def test_the_report_ends_with_a_summary() -> None:
    lines = list(report({"A1": "One.", "A2": "Two."}, {"A2": ["tests/test_a.py::test_b"]}))

    assert lines[0] == "A2   Two."
    assert lines[-2:] == ["A: 1 of 2 proven", "All: 1 of 2 proven, 1 open"]
