"""Messages in parts: texts are kept, everything else is named and nothing of it is kept."""

import pytest

from memweaver.domain.parts import text_of_parts
from memweaver.errors import InvalidInput

SECRET = "data:image/png;base64,iVBORw0KGgo"


@pytest.mark.parametrize(
    ("part", "kept"),
    [
        ({"type": "text", "text": "Who is this?"}, "Who is this?"),
        ({"type": "input_text", "text": ""}, ""),
        ({"type": "image_url", "image_url": {"url": SECRET}}, "[image]"),
        ({"type": "input_audio", "input_audio": {"data": SECRET, "format": "wav"}}, "[audio]"),
        ({"type": "file", "file": {"file_data": SECRET, "filename": SECRET}}, "[file]"),
        ({"type": "video_url", "video_url": {"url": SECRET}}, "[video]"),
        ({"type": SECRET, "text": SECRET}, "[attachment]"),
    ],
)
def test_a_part_is_its_text_or_a_word_for_it(part: object, kept: str) -> None:
    assert text_of_parts([part]) == kept


def test_parts_are_lines() -> None:
    parts = [{"type": "text", "text": "This is"}, {"type": "image"}, {"type": "text", "text": "me"}]
    assert text_of_parts(parts) == "This is\n[image]\nme"
    assert text_of_parts([]) == ""


@pytest.mark.parametrize(
    "part", [SECRET, None, {}, {"type": 1}, {"type": "text"}, {"type": "text", "text": [SECRET]}]
)
def test_what_is_no_part_is_refused_without_being_repeated(part: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        text_of_parts([part])
    assert SECRET not in str(refused.value)
