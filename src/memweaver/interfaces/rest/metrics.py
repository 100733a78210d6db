"""/metrics: figures for whoever runs the server, as Prometheus reads them."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse, Response

from memweaver.interfaces.door import Memweaver, Operator
from memweaver.interfaces.query import NoQuery

router = APIRouter(tags=["health"])


class FiguresPage(PlainTextResponse):
    media_type = "text/plain; version=0.0.4"


EXAMPLE = """\
# HELP memweaver_sockets_open Sockets that are connected
# TYPE memweaver_sockets_open gauge
memweaver_sockets_open 3.0
"""
FIGURES: Any = {
    "description": "The figures",
    "content": {FiguresPage.media_type: {"schema": {"type": "string"}, "example": EXAMPLE}},
}


@router.get("/metrics", response_class=Response, responses={200: FIGURES})
async def metrics(
    services: Memweaver, _caller: Operator, _: Annotated[NoQuery, Query()]
) -> FiguresPage:
    """Counts, times and levels in the text format of Prometheus; nobody is named in them."""
    return FiguresPage(await services.watch())
