"""Rolling summaries by a chat model."""

from collections.abc import Sequence

from memweaver.adapters.prompted.asking import Asking
from memweaver.adapters.prompted.envelope import quoted
from memweaver.adapters.prompted.ladder import spoken
from memweaver.adapters.prompted.making import SENTENCE_END
from memweaver.adapters.prompted.prompts import prompt
from memweaver.adapters.prompted.showing import LONGEST, turn_lines
from memweaver.domain.context import fitted
from memweaver.domain.context import tokens as tokens_of
from memweaver.domain.conversation import Turn
from memweaver.errors import ModelOutputInvalid
from memweaver.ports.extract import Summariser

PURPOSE = "summarise"


class PromptedSummariser(Summariser):
    """Without turns that say anything, the summary is the one before."""

    def __init__(self, asking: Asking, zone: str = "UTC") -> None:
        self._asking = asking
        self._zone = zone

    async def summary(self, before: str, turns: Sequence[Turn], tokens: int) -> str:
        said = [line for turn in turns for line in turn_lines("said", turn, self._zone, LONGEST)]
        if not said:
            return before
        known = ["SUMMARY SO FAR", *quoted(before)] if before.strip() else []
        told = f"{prompt(PURPOSE)}- At most {tokens * 3 // 4} words.\n"
        lines = [*known, "TURNS", *said]
        answer = await self._asking.complete(PURPOSE, told, lines, None, tokens)
        text = self._asking.understood(PURPOSE, answer, summary_in)
        return text if answer.finished and tokens_of(text) <= tokens else ended(text, tokens)


def summary_in(answer: str) -> str:
    """Raises `ModelOutputInvalid` if nothing is said."""
    text = spoken(answer).strip().removeprefix("```").removesuffix("```").strip()
    if not text:
        raise ModelOutputInvalid("the model's summary is empty")
    return text


def ended(text: str, tokens: int) -> str:
    """`text` within so many tokens, behind a sentence if there is one."""
    cut = fitted(text, tokens) or ""
    ends = [end.end() for end in SENTENCE_END.finditer(cut)]
    return cut[: ends[-1]] if ends else cut
