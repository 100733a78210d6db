"""Entity tags: the revision of a memory, for whoever changes only what they have seen."""

import re
from typing import Annotated

from fastapi import Depends, Header, Response, status

from memweaver.domain.memory import Memory
from memweaver.errors import InvalidInput

TAG = re.compile(r'(?:W/)?"(\d{1,9})"')
ANY = "*"


async def revision_seen(
    if_match: Annotated[
        str | None, Header(description="The `ETag` you saw; a change since is a conflict")
    ] = None,
) -> int | None:
    """Raises `InvalidInput`."""
    if if_match is None or if_match.strip() == ANY:
        return None
    if (tag := TAG.fullmatch(if_match.strip())) is None:
        raise InvalidInput("`If-Match` must be one `ETag` as it was answered, or `*`")
    return int(tag[1])


SeenRevision = Annotated[int | None, Depends(revision_seen)]
KnownTags = Annotated[
    str | None, Header(description="`ETag`s you have; if one is current, the answer is 304")
]


def tagged(response: Response, memory: Memory) -> Memory:
    """The memory, whose answer says which revision it shows."""
    response.headers["ETag"] = tag_of(memory)
    return memory


def tag_of(memory: Memory) -> str:
    return f'"{memory.revision}"'


def already_known(if_none_match: str | None, memory: Memory) -> Response | None:
    """The answer to who has this revision; not once it is closed, which its tag does not tell."""
    if if_none_match is None or memory.validity.known_to is not None:
        return None
    known = TAG.findall(if_none_match)
    if if_none_match.strip() != ANY and str(memory.revision) not in known:
        return None
    return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers={"ETag": tag_of(memory)})
