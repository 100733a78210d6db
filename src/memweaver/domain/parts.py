"""Messages that come in parts, as chat APIs send them: what of them is kept as text."""

from collections.abc import Mapping, Sequence

from memweaver.errors import InvalidInput

TEXTS = frozenset({"text", "input_text", "output_text"})
STANDS_FOR: Mapping[str, str] = {
    "image": "[image]",
    "image_url": "[image]",
    "input_image": "[image]",
    "audio": "[audio]",
    "input_audio": "[audio]",
    "video": "[video]",
    "video_url": "[video]",
    "file": "[file]",
    "input_file": "[file]",
    "document": "[file]",
}
"""What is written in place of a part that is no text: never its data, never its address."""
ANYTHING_ELSE = "[attachment]"


def text_of_parts(parts: Sequence[object]) -> str:
    """The texts among `parts`, and a word in place of each of the others, a line each.

    Raises `InvalidInput`, which says what is wrong without repeating it.
    """
    return "\n".join(_line(part) for part in parts)


def _line(part: object) -> str:
    if not isinstance(part, Mapping) or not isinstance(kind := part.get("type"), str):
        raise InvalidInput("a part of a message is an object with a `type`")
    if kind not in TEXTS:
        return STANDS_FOR.get(kind, ANYTHING_ELSE)
    if not isinstance(text := part.get("text"), str):
        raise InvalidInput("a part of `type` text has its words in `text`")
    return text
