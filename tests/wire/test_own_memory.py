"""What somebody sees of their memory they can change and erase, however it is named."""

from urllib.parse import quote

import pytest
from tests.wire.house import Visitor

CORE = "/auth/me/memory/core"


@pytest.mark.parametrize("key", ["home", "a/b", "/a", "a/", "a//b/c", "forget-all", "ü & ?"])
def test_an_entry_under_any_key_can_be_changed_and_erased(key: str, visitor: Visitor) -> None:
    entry = f"{CORE}/{quote(key, safe='')}"
    given = {"tier": "core", "key": key, "text": "before"}
    assert visitor.ask("POST /v1/memories", given).status_code == 201
    assert visitor.ask(f"GET {CORE}").json() == {key: "before"}

    assert visitor.ask(f"PUT {entry}", {"value": "after"}).json() == {"key": key, "value": "after"}
    assert visitor.ask(f"GET {CORE}").json() == {key: "after"}

    assert visitor.ask(f"DELETE {entry}").status_code == 200
    assert visitor.ask(f"GET {CORE}").json() == {}


def test_there_is_no_entry_under_no_key(visitor: Visitor) -> None:
    assert visitor.ask(f"PUT {CORE}/", {"value": "x"}).status_code in {400, 404}
    assert visitor.ask(f"DELETE {CORE}/").status_code in {400, 404}
