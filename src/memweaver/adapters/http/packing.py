"""Answers that come packed: asked for by nobody, and undone as far as it is safe."""

from collections.abc import Sequence

from httpx import Response

UNPACKED = {"Accept-Encoding": "identity"}
"""What is packed has no limit until it is unpacked."""
READ = frozenset({"gzip", "deflate"})
"""Ways of packing that are undone here, for some pack though they are asked not to."""


def unread(response: Response) -> Sequence[str]:
    """The ways by which an answer is packed that are not undone here.

    Several at once are not: by each of them a few bytes become a thousand times as many.
    """
    named = response.headers.get("content-encoding", "").lower().split(",")
    packed = [one for name in named if (one := name.strip()) not in {"", "identity"}]
    unknown = sorted(set(packed) - READ)
    return unknown or (packed if len(packed) > 1 else [])
