"""What stands in for a model where none is configured."""

from typing import NoReturn

from memweaver.errors import NoUpstream
from memweaver.ports.upstream import Json, Upstream


class Nowhere(Upstream):
    """Says which setting is missing, whatever it is asked."""

    @property
    def model(self) -> str:
        return "none"

    async def chat(self, request: Json) -> NoReturn:
        self._refuse()

    async def embeddings(self, request: Json) -> NoReturn:
        self._refuse()

    async def models(self) -> NoReturn:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise NoUpstream(
            "no chat model is configured: set MEMWEAVER_UPSTREAM__URL to where one is, "
            "as http://127.0.0.1:8080/v1"
        )
