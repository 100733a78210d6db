"""Commands that write and read what is remembered."""

from tests.unit.cli.conftest import Terminal


def test_what_is_recorded_is_recalled(terminal: Terminal) -> None:
    turn = terminal.json("record", "My sister moved to Lisbon.", "--answer", "How nice!")
    found = terminal.json("recall", "Where does my sister live?", "--limit", "1")

    assert [message["role"] for message in turn["messages"]] == ["user", "assistant"]
    assert [hit["id"] for hit in found["hits"]] == [turn["id"]]
    assert found["hits"][0]["cosine"] is not None


def test_people_read_tables_and_lines(terminal: Terminal) -> None:
    recorded = terminal.type("record", "My sister [red]moved[/red] to Lisbon.", "--name", "Ann")
    turn_id = recorded.said.split()[-1]

    assert recorded.said == f"recorded {turn_id}\n"
    assert "Ann: My sister [red]moved[/red] to Lisbon." in terminal.type("turns", "list").said
    assert "My sister [red]moved[/red]" in terminal.type("recall", "my sister").said
    assert "<memory " in terminal.type("recall", "my sister", "--context").said
    shown = terminal.type("turns", "show", turn_id).said
    assert "session      default" in shown
    assert shown.endswith("Ann: My sister [red]moved[/red] to Lisbon.\n")


def test_nothing_known_is_said_so(terminal: Terminal) -> None:
    assert terminal.type("recall", "my sister").said == "nothing is known about that\n"


def test_a_turn_recorded_twice_with_one_key_is_one_turn(terminal: Terminal) -> None:
    first = terminal.json("record", "Hello", "--idempotency-key", "1")
    again = terminal.json("record", "Hello", "--idempotency-key", "1")

    assert again == first
    assert terminal.type("record", "Bye", "--idempotency-key", "1").code == 4


def test_a_page_names_the_next_one(terminal: Terminal) -> None:
    for text in ("one", "two", "three"):
        terminal.type("record", text)

    first = terminal.json("turns", "list", "--limit", "2")
    rest = terminal.json("turns", "list", "--limit", "2", "--cursor", first["next"])

    assert [it["messages"][0]["text"] for it in first["items"]] == ["three", "two"]
    assert [it["messages"][0]["text"] for it in rest["items"]] == ["one"]
    assert rest["next"] is None
    assert f"more: --cursor {first['next']}" in terminal.type("turns", "list", "--limit", "2").said


def test_a_memory_lives_through_every_command(terminal: Terminal) -> None:
    kept = terminal.json("memories", "add", "Ada lives in Lisbon.", "--tier", "associative")
    before = kept["known_from"]
    corrected = terminal.json("memories", "correct", kept["id"], "--text", "Ada lives in Porto.")
    moved = terminal.json("memories", "move", kept["id"], "archive")
    listed = terminal.json("memories", "list", "--tier", "archive")

    assert (kept["tier"], corrected["revision"], moved["tier"]) == ("semantic", 2, "archive")
    assert [it["text"] for it in listed["items"]] == ["Ada lives in Porto."]
    assert terminal.json("memories", "show", kept["id"]) == moved
    then = terminal.json("recall", "Where does Ada live?", "--as-of", before)
    assert [hit["text"] for hit in then["hits"]] == ["Ada lives in Lisbon."]

    assert terminal.type("memories", "delete", kept["id"], "--yes").said == f"erased {kept['id']}\n"
    assert terminal.type("memories", "show", kept["id"]).code == 3


def test_nothing_is_erased_by_somebody_who_is_not_sure(terminal: Terminal) -> None:
    turn = terminal.json("record", "Hello")

    for then in ("", "n\n", "\n"):
        assert terminal.type("turns", "delete", turn["id"], then=then).code == 1
    assert terminal.json("turns", "show", turn["id"]) == turn
    assert terminal.type("turns", "delete", turn["id"], then="y\n").code == 0
    assert terminal.type("turns", "show", turn["id"]).code == 3


def test_users_and_ais_are_kept_apart(terminal: Terminal) -> None:
    terminal.json("record", "Hello", "--user", "ann", "--ai", "cook")

    def count(*words: str) -> int:
        return len(terminal.json("turns", "list", *words)["items"])

    assert count("--user", "ann") == 1
    assert count("--user", "ann", "--ai", "cook") == 1
    assert count("--user", "ann", "--ai", "gardener") == 0
    assert count() == 0
