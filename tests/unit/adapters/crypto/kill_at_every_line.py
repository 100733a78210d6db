"""Changes a key file again and again, killed before one line later each time; prints what is left.

Run as a program: `kill_at_every_line.py FOLDER add|retire sound|careless`.
"""

import json
import os
import signal
import sys
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from memweaver.adapters.crypto import FileMasterKeys, file_keys


def careless(path: Path, content: bytes) -> None:
    """The mutant: writes into the file itself."""
    with path.open("wb") as file:
        file.write(content)
    path.chmod(0o600)


class KillBeforeLine:
    """Lets `lines` lines of our own code pass, then kills the process as a crash would."""

    def __init__(self, lines: int) -> None:
        self._left = lines

    def __call__(self, frame: FrameType, event: str, _: Any) -> "KillBeforeLine | None":
        file = frame.f_code.co_filename
        if "crypto" not in file:
            return None
        if event == "line":
            self._left -= 1
            if self._left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return self


def change_but_die(path: Path, change: str, lines: int) -> bool:
    """Whether the change came to its end."""
    child = os.fork()
    if child == 0:
        keys = FileMasterKeys(path)
        sys.settrace(KillBeforeLine(lines))
        keys.add() if change == "add" else keys.retire(2)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if not os.WIFSIGNALED(status) and status:
        raise RuntimeError("the change failed")
    return status == 0


def main(folder: Path, change: str, writer: str) -> None:
    for lines in count():
        path = folder / str(lines) / "master.key"
        FileMasterKeys(path).add()
        before = path.read_text()
        if writer == "careless":
            vars(file_keys)["replace_private"] = careless
        ended = change_but_die(path, change, lines)
        sys.stdout.write(json.dumps({"before": before, "after": path.read_text()}) + "\n")
        if ended:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
