"""The literal routes of an AI's collections: what each needs, does and answers."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from httpx2 import Response
from tests.wire.house import Visitor

TYPES = ("working_memory", "long_term_memory", "personal_logs", "archive")
DATA = {"content": "Ada lives in Lisbon.", "importance": "high"}
NEEDED = {
    "/create_memory": ("ai_name", "ai_uuid", "memory_type", "memory_data"),
    "/edit_memory": ("ai_name", "ai_uuid", "memory_type", "memory_id", "memory_data"),
    "/delete_memory": ("ai_name", "ai_uuid", "memory_type", "memory_id"),
    "/move_memory": ("ai_name", "ai_uuid", "from_memory_type", "to_memory_type", "document_id"),
}


@dataclass(frozen=True)
class Cook:
    """An AI that shook hands, with a memory in its working memory."""

    visitor: Visitor
    ai: str
    memory: str

    def ask(self, route: str, **given: object) -> Response:
        known = {
            "ai_name": "Sous Chef",
            "ai_uuid": self.ai,
            "memory_type": "working_memory",
            "memory_id": self.memory,
            "document_id": self.memory,
            "memory_data": DATA,
            "from_memory_type": "working_memory",
            "to_memory_type": "archive",
        }
        body = {name: known[name] for name in NEEDED[route]} | given
        return self.visitor.ask(f"POST {route}", body)

    def where(self) -> list[str]:
        """The tiers in which the memory is."""
        found = self.visitor.ask(f"GET /v1/memories?ai={self.ai}").json()["items"]
        return [one["tier"] for one in found if one["id"] == self.memory]


@pytest.fixture
def cook(visitor: Visitor) -> Cook:
    ai = visitor.ask("POST /v1/handshake", {"ai_name": "Sous Chef"}).json()["sessionData"]
    made = Cook(visitor, ai["ai_uuid"], "").ask("/create_memory").json()
    return Cook(visitor, ai["ai_uuid"], made["memory_id"])


@pytest.mark.requirement("B6", "B4", "B5")
def test_a_handshake_makes_an_ai_its_collections_and_a_session(visitor: Visitor) -> None:
    answer = visitor.ask("POST /v1/handshake", {"ai_name": "Sous Chef"})
    told = answer.json()
    session, ai = told["sessionData"], told["sessionData"]["ai_uuid"]

    assert (answer.status_code, told["message"]) == (200, "Handshake successful")
    assert told["dbPaths"] == {name: f"{name}_{ai}_Sous_Chef" for name in sorted(told["dbPaths"])}
    assert set(told["dbPaths"]) == set(TYPES)
    assert (session["internet_access"], session["tools"]) == ("safe_only", [])
    registered = visitor.ask(f"GET /v1/ais/{ai}").json()
    assert (registered["name"], registered["created_at"]) == ("Sous Chef", session["created_at"])
    [kept] = visitor.ask(f"GET /v1/sessions?ai={ai}").json()["items"]
    assert kept["id"] == session["session_id"]


@pytest.mark.requirement("B6", "B12")
@pytest.mark.parametrize("name", [None, "", "  ", 7])
def test_an_ai_without_a_name_is_refused_and_leaves_nothing(name: object, visitor: Visitor) -> None:
    answer = visitor.ask("POST /v1/handshake", {} if name is None else {"ai_name": name})

    assert (answer.status_code, answer.json()["error"]["field"]) == (400, "ai_name")
    assert visitor.ask("GET /v1/ais").json()["items"] == []


@pytest.mark.requirement("B8")
def test_a_memory_is_created_in_its_collection_and_its_id_is_told(cook: Cook) -> None:
    kept = cook.visitor.ask(f"GET /v1/memories/{cook.memory}?ai={cook.ai}").json()

    assert (kept["text"], kept["ai"], kept["tier"]) == (DATA["content"], cook.ai, "working")
    assert kept["importance"] == 0.9


@pytest.mark.requirement("B9")
def test_a_memory_is_edited_where_it_is(cook: Cook) -> None:
    answer = cook.ask("/edit_memory", memory_data={"content": "Ada lives in Porto."})

    assert answer.json() == {"status": "Memory updated successfully."}
    kept = cook.visitor.ask(f"GET /v1/memories/{cook.memory}?ai={cook.ai}").json()
    assert (kept["text"], kept["tier"]) == ("Ada lives in Porto.", "working")


@pytest.mark.requirement("B10")
def test_a_memory_is_deleted_once(cook: Cook) -> None:
    first, second = (cook.ask("/delete_memory") for _ in range(2))

    assert first.json() == {"status": "Memory deleted successfully."}
    assert second.status_code == 404
    assert cook.where() == []


@pytest.mark.requirement("B11")
def test_a_memory_is_moved_and_keeps_its_id(cook: Cook) -> None:
    answer = cook.ask("/move_memory")

    assert answer.json() == {"status": "Memory moved successfully."}
    assert cook.where() == ["archive"]
    assert cook.ask("/edit_memory").status_code == 404


@pytest.mark.requirement("B11")
def test_of_many_who_move_a_memory_at_once_one_does(cook: Cook) -> None:
    with ThreadPoolExecutor(8) as pool:
        moves = [
            pool.submit(cook.ask, "/move_memory", to_memory_type=TYPES[1 + number % 3])
            for number in range(8)
        ]
        while not all(one.done() for one in moves):
            assert len(cook.where()) == 1
        told = [one.result().status_code for one in moves]

    assert told.count(200) == 1
    assert set(told) <= {200, 404, 409}
    assert len(cook.where()) == 1


@pytest.mark.requirement("B12")
@pytest.mark.parametrize(
    ("route", "name"), [(route, name) for route, names in NEEDED.items() for name in names]
)
def test_a_missing_field_is_named(route: str, name: str, cook: Cook) -> None:
    given = {one: "x" for one in NEEDED[route] if one != name}
    if "memory_data" in given:
        given["memory_data"] = DATA  # type: ignore[assignment] # an object among names
    answer = cook.visitor.ask(f"POST {route}", given)

    assert (answer.status_code, answer.json()["error"]["field"]) == (400, name)


@pytest.mark.requirement("B12", "B3")
@pytest.mark.parametrize("route", NEEDED)
def test_an_unknown_id_is_missing_and_a_wrong_type_is_named(route: str, cook: Cook) -> None:
    types = [name for name in NEEDED[route] if name.endswith("memory_type")]
    for name in types:
        answer = cook.ask(route, **{name: "attic"})
        assert (answer.status_code, answer.json()["error"]["field"]) == (400, name)
    for name in ("ai_uuid", "ai_name", "memory_id", "document_id"):
        if name in NEEDED[route]:
            assert cook.ask(route, **{name: "nobody"}).status_code == 404
    assert cook.where() == ["working"]
