"""What a run found, kept with everything one needs to judge or repeat it."""

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.figures import Figure

RESULTS = Path(__file__).parent / "results"
CACHE = Path(__file__).parent / ".cache"
"""What may be thrown away between runs."""
PACKAGES = ("memweaver", "numpy", "onnxruntime", "tokenizers", "sqlalchemy", "cryptography")
"""The packages whose versions may move a figure."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one benchmark."""

    benchmark: str
    date: str
    commit: str
    machine: Mapping[str, object]
    versions: Mapping[str, str]
    settings: Mapping[str, object]
    figures: Sequence[Mapping[str, object]]
    results: Mapping[str, object]


def describe(
    benchmark: str,
    results: Mapping[str, object],
    figures: Sequence[Figure],
    settings: Mapping[str, object],
) -> Run:
    """`results` with the time, the commit, the machine and the versions they were found with."""
    return Run(
        benchmark=benchmark,
        date=datetime.now(UTC).strftime("%Y-%m-%dT%H:%MZ"),
        commit=commit(),
        machine=machine(),
        versions={
            "python": platform.python_version(),
            **{name: version(name) for name in PACKAGES},
        },
        settings=settings,
        figures=[figure.as_dict() for figure in figures],
        results=results,
    )


def keep(run: Run, folder: Path = RESULTS) -> Path:
    """Write `run` to its own file in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{run.benchmark}-{run.date.replace(':', '')}.json"
    file.write_text(json.dumps(asdict(run), indent=2) + "\n", encoding="utf-8")
    return file


def latest(benchmark: str, folder: Path = RESULTS) -> Run | None:
    """The newest run of `benchmark` that was kept."""
    files = sorted(folder.glob(f"{benchmark}-*.json"))
    return Run(**json.loads(files[-1].read_text(encoding="utf-8"))) if files else None


def last_line(run: Run) -> str:
    """The one line that other programs read."""
    return json.dumps({"benchmark": run.benchmark, **run.results})


def commit() -> str:
    """The commit measured; `+` behind it says that the files were not all committed."""
    root = Path(__file__).parent.parent
    try:
        name = git(root, "rev-parse", "--short=12", "HEAD")
        changed = git(root, "status", "--porcelain", "--", "src", "benchmarks/*.py")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{name}+" if changed else name


def git(root: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=True
    ).stdout.strip()


def machine() -> Mapping[str, object]:
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
    }


def processor() -> str:
    """The processor's name, where the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    if not cpuinfo.exists():
        return platform.processor() or "unknown"
    lines = cpuinfo.read_text(encoding="utf-8").splitlines()
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, "unknown")
