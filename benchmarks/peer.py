"""mem0, run in an environment of its own on the very same texts and vectors."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.baselines import STOP_WORDS, Array
from benchmarks.tables import progress, screen

HERE = Path(__file__).parent
ENVIRONMENT = HERE / ".peers" / "mem0"
REQUIREMENTS = HERE / "peers" / "mem0.txt"
SCRIPT = HERE / "peers" / "mem0_search.py"


@dataclass(frozen=True, slots=True)
class Collection:
    """One user's texts and the questions put to them, with their vectors."""

    texts: Sequence[str]
    vectors: Array
    questions: Sequence[str]
    question_vectors: Array


@dataclass(frozen=True, slots=True)
class Answer:
    """For each question the places of the texts found, best first; and what it took, in seconds."""

    rankings: Sequence[Sequence[int]]
    add_seconds: float
    search_seconds: Sequence[float]


def search(
    collections: Sequence[Collection], *, words: bool, limit: int, title: str
) -> list[Answer]:
    """What mem0 finds; `words` switches its BM25 extra on."""
    prepare()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_job(folder, collections, words=words, limit=limit)
        run(folder, len(collections), title)
        answers = json.loads((folder / "answer.json").read_text(encoding="utf-8"))
    return [Answer(**answer) for answer in answers]


def prepare() -> None:
    """Make the environment, or leave it if it is the one asked for."""
    made = ENVIRONMENT / "made-from.txt"
    wanted = REQUIREMENTS.read_text(encoding="utf-8")
    if made.exists() and made.read_text(encoding="utf-8") == wanted:
        return
    screen.print("Installing mem0 into an environment of its own …")
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], check=True)
    subprocess.run(
        [
            str(ENVIRONMENT / "bin" / "pip"),
            "install",
            "--quiet",
            "--requirement",
            str(REQUIREMENTS),
        ],
        check=True,
        stdout=sys.stderr,
    )
    made.write_text(wanted, encoding="utf-8")


def write_job(folder: Path, collections: Sequence[Collection], *, words: bool, limit: int) -> None:
    job = {
        "limit": limit,
        "stop_words": sorted(STOP_WORDS) if words else None,
        "vector_texts": [text for each in collections for text in (*each.texts, *each.questions)],
        "collections": [
            {"texts": list(each.texts), "questions": list(each.questions)} for each in collections
        ],
    }
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    rows = [rows for each in collections for rows in (each.vectors, each.question_vectors)]
    np.savez(folder / "vectors.npz", vectors=np.concatenate(rows))


def run(folder: Path, total: int, title: str) -> None:
    """Run the peer without telemetry and with a home of its own; it tells how far it is."""
    names = [str(folder / name) for name in ("job.json", "vectors.npz", "answer.json")]
    environment = os.environ | {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder / "home")}
    command = [str(ENVIRONMENT / "bin" / "python"), str(SCRIPT), *names]
    with (
        (folder / "errors.txt").open("w+", encoding="utf-8") as errors,
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
        progress() as bar,
    ):
        task = bar.add_task(title, total=total)
        for _ in process.stdout or ():
            bar.advance(task)
        if process.wait():
            errors.seek(0)
            raise RuntimeError(f"mem0 failed:\n{errors.read()}")
