"""Embed one text for a caller who would rather go on without a vector than fail."""

import logging
from struct import unpack

from memweaver.ports.models import Embedder

log = logging.getLogger(__name__)

LONGEST = 8000
"""Characters read of a text."""


async def embed_text(embedder: Embedder, text: str) -> list[float] | None:
    """The vector of `text`, or `None` and one warning, whatever fails."""
    try:
        [vector] = await embedder.embed([text[:LONGEST]])
        return list(unpack(f"<{embedder.dimensions}f", vector))
    except Exception as error:
        log.warning("going on without a vector: %s", type(error).__name__, exc_info=True)
        return None
