"""The query of a request that takes none, whichever way in it comes by."""

from pydantic import BaseModel, ConfigDict


class NoQuery(BaseModel):
    """Nothing: a field that is there all the same is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)
