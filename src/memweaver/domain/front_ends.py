"""What chat front ends ask a model on their own behalf, and what they put around a person's words.

Titles, tags, follow-up questions, search queries, completions while typing: nobody said these, so
they are neither remembered nor answered from memory. Each is known by how its prompt begins and by
the form that a program gives it, such as a conversation between tags; one of the two alone is not
enough, for to forget what a person said is worse than to remember a title.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

JUDGED = 4000
"""Characters at either end of a message that are looked at."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A kind of request that a front end makes for itself."""

    name: str
    begins: re.Pattern[str]
    contains: re.Pattern[str]


def errand(name: str, begins: str, contains: str) -> Errand:
    return Errand(
        name,
        re.compile(rf"\s*(?:{begins})", re.IGNORECASE | re.DOTALL),
        re.compile(contains, re.IGNORECASE | re.MULTILINE),
    )


TASK = r"#{2,3} task:\s*"
FORM = r"^#{2,3} (?:\*\*)?(?:output|chat history)|\bjson format\b|<chat_history>"
QUOTED = (
    r"<(?:conversation|chat_history)>|\"role\":\s*\"user\""
    r"|\A(?>[\s\S]*?^\W{0,4}(?:user|human)\W{0,3}?:)"
    r"[\s\S]*^\W{0,4}(?:assistant|ai|response)\W{0,3}:"
)
"""A conversation that is shown, not held.

An answer is looked for after the first question alone, once: after each of many would take long.
"""
TITLE = r"[^\n]{0,60}\btitle\b"

ERRANDS: Sequence[Errand] = (
    errand("title", TASK + r"generate a (?:concise|short|brief)" + TITLE, FORM),
    errand("tags", TASK + r"generate 1-3 broad tags", FORM),
    errand("follow-ups", TASK + r"suggest \d-\d (?:relevant )?follow-?up", FORM),
    errand("follow-ups", TASK + r"predict \d-\d (?:useful )?messages this user might", FORM),
    errand("queries", TASK + r"(?:analy[sz]e|based on) the chat history", FORM),
    errand("completion", TASK + r"you are an autocompletion system", r"<text>|<type>"),
    errand("picture", TASK + r"generate a detailed prompt for a[mn]? image", FORM),
    errand("emoji", r"your task is to reflect the speaker'?s likely facial", r"^message: ?```"),
    errand(
        "merge",
        r"you have been provided with a set of responses from various models",
        r"^responses from models:",
    ),
    errand("tools", r"available tools:", r"your task is to choose and return the correct tool"),
    errand("tools", r"query: history:\s", r"^query:(?! history:)"),
    errand(
        "title",
        r"(?:please )?(?:generate|create|provide|write) (?:a |an )?(?:very )?"
        r"(?:concise|short|brief|\d[- ])"
        + TITLE
        + r" (?:for|of) (?:the|this) (?:conversation|chat)",
        QUOTED,
    ),
    errand(
        "title",
        r"based on the (?:chat|conversation) history, give this conversation a (?:name|title)",
        QUOTED,
    ),
    errand(
        "title",
        r"you are (?:a|an) [^\n]{0,40}\bconversation\b[^\n]{0,20}\. [^\n]{0,80}\btitle\b",
        QUOTED,
    ),
    errand("title", r"你是一名擅长会话的助理[^\n]{0,40}标题", QUOTED),
    errand("title", r"使用四到五个字直接返回这句话的简要主题", "如果没有主题"),
    errand(
        "title",
        r"please generate a four to five word title summarizing our conversation",
        r"without any lead-in, punctuation",
    ),
    errand(
        "summary",
        TASK + r"summari[sz]e the conversation history that will be compacted",
        r"^#{2,3} messages being compacted:",
    ),
    errand(
        "memories",
        r"review the completed conversation turn and decide whether long-term memory should change",
        r"^existing memories:",
    ),
    errand(
        "summary",
        r"summari[sz]e the discussion briefly in 200 words or less",
        r"to use as a prompt for future context",
    ),
)
"""Titles without a task's form are known by the conversation that they show, or word by word."""

NAMED: Mapping[str, str] = {
    "title_generation": "title",
    "tags_generation": "tags",
    "follow_up_generation": "follow-ups",
    "query_generation": "queries",
    "autocomplete_generation": "completion",
    "image_prompt_generation": "picture",
    "emoji_generation": "emoji",
    "moa_response_generation": "merge",
    "function_calling": "tools",
    "context_compaction": "summary",
    "memory_review": "memories",
}
"""What `metadata.task` may say, where a front end says it."""

PASSING = ("temporary:", "local:", "channel:")
"""How Open WebUI's chats are called that it keeps nothing of, or that several people read."""

DOCUMENTS = re.compile(
    TASK + r"respond to the user query using the provided context", re.IGNORECASE
)
END_OF_DOCUMENTS = "</context>"


def on_whose_behalf(system: str, text: str, task: object = None) -> str | None:
    """The name of the errand, if the front end asks for itself; `None` if a person speaks.

    What the system is told is an errand by the form that it has together with what it is shown.
    """
    if isinstance(task, str) and task in NAMED:
        return NAMED[task]
    for begins, whole in ((text, text), (system, f"{system}\n{text}")):
        judged = whole if len(whole) <= 2 * JUDGED else f"{whole[:JUDGED]}\n{whole[-JUDGED:]}"
        for one in ERRANDS:
            if one.begins.match(begins[:JUDGED]) and one.contains.search(judged):
                return one.name
    return None


def own_words(text: str) -> str:
    """What the person said, without the documents that a front end put before it."""
    if not DOCUMENTS.match(text) or END_OF_DOCUMENTS not in text:
        return text
    return text.rpartition(END_OF_DOCUMENTS)[2].strip() or text
