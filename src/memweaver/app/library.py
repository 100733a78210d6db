"""The library's door: `async with memweaver.open(...)`."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from memweaver.app.settings import Settings, load_settings
from memweaver.app.wiring import open_services
from memweaver.services import Services


def open(  # noqa: A001 - `memweaver.open` is what a reader expects
    data: Path | str | None = None, *, settings: Settings | None = None
) -> AbstractAsyncContextManager[Services]:
    """Open a memory and everything it can do.

    `data` is the folder to keep it in, made if it is not there. Everything else comes from the
    environment as for the server, or from `settings`.

    Raises:
        ConfigurationError: the settings cannot work.
    """
    chosen = settings or load_settings()
    if data is not None:
        chosen = chosen.model_copy(update={"data": Path(data)})
    return open_services(chosen)
