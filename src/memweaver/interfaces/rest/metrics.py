"""/metrics: figures for whoever runs the server, as Prometheus reads them."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse

from memweaver.interfaces.door import Memweaver, Operator
from memweaver.interfaces.query import NoQuery

router = APIRouter(tags=["health"])


class FiguresPage(PlainTextResponse):
    media_type = "text/plain; version=0.0.4"


@router.get("/metrics", response_class=FiguresPage)
async def metrics(
    services: Memweaver, _caller: Operator, _: Annotated[NoQuery, Query()]
) -> FiguresPage:
    """Counts, times and levels in the text format of Prometheus; nobody is named in them."""
    return FiguresPage(await services.watch())
