"""The local embedder: what waits for what, and what is computed at all."""

import os
import sys
from asyncio import TaskGroup
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from threading import Event, current_thread, get_native_id

import pytest
from tests.unit.adapters.local.tiny_model import write_tiny_model

from memweaver.adapters.local import LocalEmbedder, embedder, open_local
from memweaver.adapters.local.files import ModelFiles, model_in
from memweaver.adapters.local.model import Model, Tokens
from memweaver.background import LAST
from memweaver.domain.memory import Vector
from memweaver.errors import ConfigurationError


class WatchedModel(Model):
    """Notes what is computed; its backlog stops until it is let go."""

    def __init__(self, files: ModelFiles) -> None:
        super().__init__(files)
        self.computed: list[int] = []
        self.niceness: dict[str, int] = {}
        self.let_go = Event()

    def vectors(self, batch: Sequence[Tokens]) -> list[Vector]:
        self.computed.append(len(batch))
        self.niceness[current_thread().name] = os.getpriority(os.PRIO_PROCESS, get_native_id())
        if "backlog" in current_thread().name:
            self.let_go.wait()
        return super().vectors(batch)


@pytest.fixture
def model(tmp_path: Path) -> WatchedModel:
    return WatchedModel(model_in(write_tiny_model(tmp_path)))


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priorities elsewhere")
async def test_a_backlog_has_the_processor_last(model: WatchedModel) -> None:
    model.let_go.set()
    with closing(LocalEmbedder("tiny", 3, lambda: model)) as embedder:
        await embedder.embed(["tea"])
        await embedder.embed(["tea", "oslo"])
    assert model.niceness["embed-backlog_0"] == LAST > model.niceness["embed-question_0"]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priorities elsewhere")
async def test_a_backlog_that_may_not_be_moved_back_is_embedded_where_it_stands(
    model: WatchedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved = list[int]()

    def refused(_which: int, _who: int, to: int) -> None:
        moved.append(to)
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "setpriority", refused)
    monkeypatch.setattr(os, "getpriority", lambda *_: LAST + 5)
    model.let_go.set()
    with closing(LocalEmbedder("tiny", 3, lambda: model)) as embedder:
        assert len(await embedder.embed(["tea", "oslo"])) == 2
    assert moved == [LAST + 5]


async def test_a_question_does_not_wait_for_a_backlog(model: WatchedModel) -> None:
    with closing(LocalEmbedder("tiny", 3, lambda: model)) as embedder:
        async with TaskGroup() as tasks:
            backlog = tasks.create_task(embedder.embed(["sun", "moon"]))
            question = await embedder.embed(["sun"])
            assert not backlog.done()
            model.let_go.set()
        assert backlog.result()[0] == question[0]


async def test_a_question_asked_again_is_not_computed_again(model: WatchedModel) -> None:
    with closing(LocalEmbedder("tiny", 3, lambda: model)) as embedder:
        first = await embedder.embed(["sun"])
        assert await embedder.embed(["sun"]) == first
    assert model.computed == [1]


async def test_the_question_not_asked_for_longest_is_forgotten(
    model: WatchedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedder, "KEPT", 2)
    with closing(LocalEmbedder("tiny", 3, lambda: model)) as local:
        for text in ("sun", "moon", "sun", "star", "sun", "moon"):
            await local.embed([text])
    assert len(model.computed) == 4


async def test_some_of_the_questions_that_wait_are_computed_together(model: WatchedModel) -> None:
    most = embedder.SHARING
    with closing(LocalEmbedder("tiny", 3, lambda: model)) as local:
        async with TaskGroup() as tasks:
            for number in range(1 + 2 * most):
                tasks.create_task(local.embed([f"sun {number}"]))
    assert model.computed == [1, most, most]


async def test_the_model_is_loaded_once_and_only_when_needed(model: WatchedModel) -> None:
    loads: list[Model] = []

    def load() -> Model:
        loads.append(model)
        return model

    model.let_go.set()
    with closing(LocalEmbedder("tiny", 3, load)) as embedder:
        assert await embedder.embed([]) == []
        assert loads == []
        async with TaskGroup() as tasks:
            tasks.create_task(embedder.embed(["sun", "moon"]))
            tasks.create_task(embedder.embed(["sun"]))
    assert len(loads) == 1


async def test_a_folder_of_one_s_own_is_opened(tmp_path: Path) -> None:
    folder = write_tiny_model(tmp_path / "mine")
    async with open_local(folder) as embedder:
        assert embedder.model.startswith("mine-")
        assert embedder.dimensions == 3
        assert len(await embedder.embed(["sun", "moon"])) == 2


async def test_a_folder_that_holds_no_model_is_refused_when_opened(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is missing"):
        async with open_local(tmp_path):
            pass


async def test_the_packaged_model_needs_no_folder() -> None:
    async with open_local() as embedder:
        assert embedder.model == "all-MiniLM-L6-v2-int8"
        assert embedder.dimensions == 384
