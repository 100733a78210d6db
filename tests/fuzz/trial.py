"""Runs schemathesis over the schema that the running app itself gives out."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.isolation.house import open_house

from memweaver.domain.principal import EVERYTHING

COMMAND = str(Path(sys.executable).with_name("schemathesis"))
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
PHASES = ("examples", "coverage", "fuzzing")
"""Those of the documentation, every edge of every field, and whatever comes to mind."""


@dataclass(frozen=True)
class Fuzzed:
    """`told` is what schemathesis said, in full; for whoever looks for the cause."""

    operations: int
    cases: int
    failures: Sequence[str]
    told: str


async def fuzzed(
    folder: Path,
    *,
    cases: int,
    seed: int,
    phases: Sequence[str] = PHASES,
    only: str | None = None,
) -> Fuzzed:
    """Try `cases` for every operation, or for the one of a path, with a key that may do all."""
    report = folder / "report.json"
    async with open_house(folder / "data") as house:
        issued = await house.services.access.create("owner", "fuzz", permissions=EVERYTHING)
        process = await asyncio.create_subprocess_exec(
            *(COMMAND, "run", f"{house.url}/openapi.json"),
            *("--header", f"Authorization: Bearer {issued.secret}"),
            *("--max-examples", str(cases), "--seed", str(seed)),
            *("--checks", ",".join(CHECKS), "--phases", ",".join(phases)),
            *("--report", "json", "--report-json-path", str(report)),
            *("--suppress-health-check", "all", "--warnings", "off", "--continue-on-failure"),
            *(("--include-path", only) if only else ()),
            cwd=folder,
            stdout=PIPE,
            stderr=STDOUT,
        )
        told, _ = await process.communicate()
    return read(json.loads(report.read_text()), told.decode())


def read(report: Mapping[str, Any], told: str) -> Fuzzed:
    return Fuzzed(
        operations=report["operations"]["tested"],
        cases=report["test_cases"]["generated"],
        failures=[json.dumps(one) for one in (*report["failures"], *report["errors"])],
        told=told,
    )
