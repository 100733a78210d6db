"""Exchanges written down: what is asked and, word for word, what is answered.

In an answer `<id:turn>` stands for any id and calls it `turn`, `<time>` for any time in UTC,
`<cursor:page>` for any cursor, `<number>` for any number, `<text>` for any text,
`<any>` for anything. A name given so
may stand in a later request, as `<turn>`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from httpx2 import Response
from tests.wire.house import Visitor

KINDS: Mapping[str, str] = {
    "id": r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z",
    "cursor": r"[\w.-]{11,}",
    "number": r"-?[\d.e-]+",
    "text": r"(?s).+",
    "any": r"(?s).*",
}
PLACE = re.compile(r"<(\w+)(?::(\w+))?>")


@dataclass(frozen=True)
class Exchange:
    request: str
    status: int
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    answer: object = None
    answer_headers: Mapping[str, str] = field(default_factory=dict[str, str])


def exchanges(script: Path) -> list[Exchange]:
    return [Exchange(**one) for one in json.loads(script.read_text())]


def play(script: list[Exchange], visitor: Visitor) -> None:
    """Raises `AssertionError` at the first answer that is not as written."""
    names: dict[str, str] = {}
    for one in script:
        filled = json.loads(fill(json.dumps([one.request, one.body, one.headers]), names))
        answer = visitor.ask(filled[0], filled[1], **filled[2])
        said = said_in(answer)
        assert answer.status_code == one.status, f"{one.request}: {answer.text}"
        compare(one.answer, said, names, one.request)
        for name, value in one.answer_headers.items():
            assert answer.headers[name] == fill(value, names)


def said_in(answer: Response) -> object:
    if not answer.content:
        return None
    in_json = answer.headers["content-type"] == "application/json"
    return answer.json() if in_json else answer.text


def fill(text: str, names: Mapping[str, str]) -> str:
    return PLACE.sub(lambda found: names.get(found[1], found[0]), text)


def compare(wanted: Any, said: Any, names: dict[str, str], where: str) -> None:
    if isinstance(wanted, dict) and isinstance(said, dict):
        assert list(said) == list(wanted), where
        for key, value in wanted.items():
            compare(value, said[key], names, f"{where} {key}")
    elif isinstance(wanted, list) and isinstance(said, list):
        assert len(said) == len(wanted), f"{where}: {said}"
        for number, (one, other) in enumerate(zip(wanted, said, strict=True)):
            compare(one, other, names, f"{where} {number}")
    elif isinstance(wanted, str) and (place := PLACE.fullmatch(wanted)) and place[1] in KINDS:
        assert re.fullmatch(KINDS[place[1]], str(said)), f"{where}: {said!r} is no {place[1]}"
        names[place[2] or ""] = str(said)
    else:
        assert said == (fill(wanted, names) if isinstance(wanted, str) else wanted), where
