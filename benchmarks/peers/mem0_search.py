"""Runs inside mem0's own environment: add texts, search them, tell the rankings and the times.

Reads a job (JSON) with the vectors beside it (npz), writes an answer (JSON). Each collection is a
store of its own, so that a search never walks over the texts of other users.
"""

import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from fastembed import SparseTextEmbedding
from mem0 import Memory
from mem0.embeddings.base import EmbeddingBase
from mem0.utils.factory import EmbedderFactory

USER = "user"
ARGUMENTS = 4


class GivenVectors(EmbeddingBase):  # type: ignore[misc]  # mem0 is not installed where types are checked
    """mem0's embedder interface over vectors that were computed before."""

    vectors: Mapping[str, list[float]] = {}

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self.vectors[text.strip()]


def open_memory(folder: Path, dimensions: int) -> Any:
    EmbedderFactory.provider_to_class["openai"] = f"{__name__}.GivenVectors"
    return Memory.from_config(
        {
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "path": str(folder / "qdrant"),
                    "on_disk": True,
                    "embedding_model_dims": dimensions,
                },
            },
            "llm": {"provider": "openai", "config": {"api_key": "unused"}},
            "embedder": {"provider": "openai", "config": {}},
            "history_db_path": str(folder / "history.db"),
        }
    )


def use_words(memory: Any, stop_words: list[str] | None) -> None:
    """Search by words too, as with the extra installed; else by meaning only, as without it."""
    if stop_words is None:
        memory.vector_store._bm25_encoder = False  # noqa: SLF001  # as it sets it without the extra
        return
    # Its own way would download a stop list; a folder and a list given spare that.
    memory.vector_store._bm25_encoder = SparseTextEmbedding(  # noqa: SLF001  # there is no setting
        model_name="Qdrant/bm25",
        specific_model_path=tempfile.gettempdir(),
        stopwords=set(stop_words),
    )


def run(collection: Mapping[str, Any], memory: Any, limit: int) -> dict[str, object]:
    places: dict[str, int] = {}
    began = time.perf_counter()
    for place, text in enumerate(collection["texts"]):
        [added] = memory.add([{"role": "user", "content": text}], user_id=USER, infer=False)[
            "results"
        ]
        places[added["id"]] = place
    adding = time.perf_counter() - began
    rankings, times = search(collection["questions"], memory, places, limit)
    return {"rankings": rankings, "add_seconds": adding, "search_seconds": times}


def search(
    questions: Sequence[str], memory: Any, places: Mapping[str, int], limit: int
) -> tuple[list[list[int]], list[float]]:
    rankings, times = [], []
    for question in questions:
        began = time.perf_counter()
        found = memory.search(question, filters={"user_id": USER}, top_k=limit, threshold=0.0)
        times.append(time.perf_counter() - began)
        rankings.append([places[hit["id"]] for hit in found["results"]])
    return rankings, times


def main(job_file: Path, vectors_file: Path, answer_file: Path) -> None:
    job = json.loads(job_file.read_text(encoding="utf-8"))
    vectors = np.load(vectors_file)["vectors"]
    # mem0 asks for a question without the blanks around it.
    texts = [text.strip() for text in job["vector_texts"]]
    GivenVectors.vectors = dict(zip(texts, vectors.tolist(), strict=True))
    answers = []
    for collection in job["collections"]:
        with tempfile.TemporaryDirectory() as folder:
            memory = open_memory(Path(folder), vectors.shape[1])
            use_words(memory, job["stop_words"])
            answers.append(run(collection, memory, job["limit"]))
            memory.vector_store.client.close()
        print(len(answers), flush=True)
    answer_file.write_text(json.dumps(answers), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != ARGUMENTS:
        sys.exit("usage: mem0_search.py JOB VECTORS ANSWER")
    main(*map(Path, sys.argv[1:]))
