"""Takes out of a message what recall put into it: what is remembered is not heard again."""

import re

OPENING = re.compile(r"<memory ([\w-]{1,64})>")


def without_recalled(text: str) -> str:
    """`text` without the blocks that `domain.context` makes."""
    kept, place = list[str](), 0
    while block := OPENING.search(text, place):
        closing = f"</memory {block[1]}>"
        end = text.find(closing, block.end())
        kept.append(text[place : block.start()])
        place = block.end() if end < 0 else end + len(closing)
    return "".join([*kept, text[place:]])
