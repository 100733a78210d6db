"""Silence: nothing is told to anybody, not even by the libraries underneath.

onnxruntime reports to its makers unless told not to before it is imported: it makes a device id in
the home folder and sends from native code, where the tests' guard of the network does not see it.
"""

import os
import subprocess
import sys
from pathlib import Path

EMBED = """
import asyncio
from memweaver.adapters.local import open_local

async def main():
    async with open_local(None) as embedder:
        await embedder.embed(["a text"])

asyncio.run(main())
"""


def traces(code: str, home: Path) -> list[str]:
    """The files that running `code` leaves in a home folder that was empty."""
    subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        check=True,
        timeout=120,
    )
    return sorted(str(file.relative_to(home)) for file in home.rglob("*") if file.is_file())


def test_embedding_leaves_no_trace_outside_of_the_data_folder(tmp_path: Path) -> None:
    assert traces(EMBED, tmp_path) == []


def test_a_trace_is_noticed(tmp_path: Path) -> None:
    code = "import pathlib; (pathlib.Path.home() / 'deviceid').touch()"

    assert traces(code, tmp_path) == ["deviceid"]
