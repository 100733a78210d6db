"""The header without which nothing is wiped out."""

from typing import Annotated, Literal

from fastapi import Header

Confirmed = Annotated[
    Literal["true"],
    Header(alias="X-Confirm", description="Everything that is remembered will be erased"),
]
