"""What chat front ends ask for themselves is told from what people say."""

from time import process_time

import pytest

from memweaver.domain.front_ends import JUDGED, on_whose_behalf, own_words

HISTORY = "### Chat History:\n<chat_history>\nUSER: My sister lives in Lisbon.\n</chat_history>"
TALK = "User: My sister lives in Lisbon.\nAssistant: How nice."
THEIRS = {
    "title": [
        f"### Task:\nGenerate a concise, 3-5 word title with an emoji.\n### Output:\n{HISTORY}",
        f"Provide a concise, 5-word-or-less title for the conversation.\n\nConversation:\n{TALK}",
        'Please generate a short title for this chat.\n||>User:\n"Hi"\n||>Response:\n"Ho"',
        (
            "Please generate a four to five word title summarizing our conversation without any "
            "lead-in, punctuation, quotation marks. Remove enclosing quotation marks."
        ),
        f"Based on the chat history, give this conversation a name.\nKeep it short.\n{TALK}",
        "使用四到五个字直接返回这句话的简要主题,不要解释,如果没有主题,请直接返回“闲聊”",
    ],
    "tags": [
        f"### Task:\nGenerate 1-3 broad tags for the themes.\n### Guidelines:\n- x\n{HISTORY}"
    ],
    "follow-ups": [
        f"### Task:\nSuggest 3-5 relevant follow-up questions.\n{HISTORY}",
        f"### Task:\nPredict 3-5 useful messages this user might naturally send next.\n{HISTORY}",
    ],
    "memories": [
        (
            "Review the completed conversation turn and decide whether long-term memory should "
            "change.\n\nRules:\n- x\n\nExisting memories:\n- none"
        )
    ],
    "queries": [f"### Task:\nAnalyze the chat history and decide whether queries help.\n{HISTORY}"],
    "completion": ["### Task:\nYou are an autocompletion system. Go on.\n<text>I li</text>"],
    "picture": [f"### Task:\nGenerate a detailed prompt for am image.\n{HISTORY}"],
    "emoji": [
        (
            "Your task is to reflect the speaker's likely facial expression by an emoji.\n\n"
            "Message: ```Hello```"
        )
    ],
    "merge": [
        (
            "You have been provided with a set of responses from various models.\n\n"
            "Responses from models: one, two"
        )
    ],
    "tools": [
        "Query: History:\nUSER: hello\nQuery: hello",
        "Available Tools: []\n\nYour task is to choose and return the correct tool(s).",
    ],
    "summary": [
        (
            "### Task:\nSummarize the conversation history that will be compacted out of the chat."
            "\n\n### Messages Being Compacted:\nUSER: Hello"
        ),
        (
            "Summarize the discussion briefly in 200 words or less to use as a prompt for future "
            "context."
        ),
    ],
}
PEOPLES = [
    "Can you generate a concise title for my essay about tags?",
    "Generate a short title for my thesis on bees.",
    "### Task:\nWrite a poem about rain.",
    "Summarize the conversation briefly, please.",
    "My task is to suggest 3-5 follow-up questions to my students.",
    "Based on the chat history, what do you think of me?",
    "You are a conversation partner. How are you?",
    "",
    "Write a short title for my song about Bruno, my dog, in title case",
    "Tools: [hammer, saw] is what I own; which tool do I lack?",
    "Available tools: hammer and saw. Which of them do I need for a shelf?",
    "Please write a brief title for my talk in Lisbon, five words or less, no punctuation.",
    "Generate a concise title for the conversation I had with my mother.",
    "Create a 3-word title for this chat, please. No quotes.",
    "Provide a short title for the chat between me and Ann, without any punctuation.",
    "Please summarize the above and give it a title.",
    "Based on the chat history, give this conversation a name.",
    "Based on the conversation history, what title would my memoir have?",
    "### Task:\nGenerate a concise title for my novel.\n### Rules\n- It plays in Oslo.",
    "### Task:\nGenerate 1-3 broad tags for my shop.\n### Guidelines:\n- I sell tea.",
    "### Task:\nSuggest 3-5 follow-up emails to my boss Carla.\n### Instructions\nBe kind.",
    "## Task:\nAnalyze the chat history of my family and write the queries my aunt asked.",
    "### Task:\nRespond to my letter. ### Output: a letter",
    "Your task is to reflect the speaker's likely facial expression. I am sad: which emoji?",
    "You have been provided with a set of responses from my students. Synthesize them.",
    "Query: history: where did my grandmother live?",
    "Summarize the discussion briefly: I shall use it as a prompt for future context.",
    "You are a title expert. Find a title for my book, of four words.",
    "You are a chat expert. Name this chat: a title of five words.",
    "User: is what my boss calls me. Assistant: is what I call him. Write a title.",
    "What is the JSON format of a title with tags?",
    "我想要一个标题",
    "使用四到五个字直接返回这句话的简要主题",
]
SYSTEMS = [
    "Be kind.",
    "You are a helpful chat assistant. Always add a title for your answer of at most five words.",
    "You are a conversation partner for learners. Begin with a title in their words.",
    "You are a professional title writer. Find a title of at most 10 words.",
    "### Task:\nYou are an autocompletion system of the house.",
    "Available tools: search, calendar. Choose the right tool.",
    "Generate a short title before each answer, without any punctuation.",
    "### Task:\nAnswer as a pirate.\n### Output:\nJSON format",
]
RAG = "### Task:\nRespond to the user query using the provided context, with citations.\n"


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in THEIRS.items() for text in texts]
)
def test_an_errand_of_a_front_end_is_recognised(name: str, text: str) -> None:
    assert on_whose_behalf("", text) == name


def test_an_errand_is_recognised_by_the_system_message_too() -> None:
    system = "You are a professional conversation summarizer. Find a title of at most 10 words."

    assert on_whose_behalf(system, TALK) == "title"
    assert on_whose_behalf(f"### Task:\nGenerate 1-3 broad tags.\n{HISTORY}", "Go") == "tags"


@pytest.mark.parametrize(
    ("task", "name"),
    [("title_generation", "title"), ("user_response", None), (["title_generation"], None)],
)
def test_an_errand_is_recognised_by_its_name(task: object, name: str | None) -> None:
    assert on_whose_behalf("", "Hello", task) == name


def test_a_long_errand_is_recognised() -> None:
    text = f"### Task:\nSuggest 3-5 relevant follow-up questions.\n{'x' * 3 * JUDGED}{HISTORY}"

    assert on_whose_behalf("", text) == "follow-ups"


def test_questions_without_an_answer_are_soon_looked_through() -> None:
    """Everybody else waits meanwhile: to look again after each takes a hundred times as long."""
    text = "Please generate a short title for the conversation\n" + "user:\n" * 1300
    began = process_time()

    assert on_whose_behalf(text, text) is None
    assert process_time() - began < 0.05


@pytest.mark.parametrize("text", PEOPLES)
def test_what_people_say_is_theirs(text: str) -> None:
    assert on_whose_behalf("Be kind.", text) is None


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_people_say_is_theirs_whatever_the_system_is_told(system: str) -> None:
    assert on_whose_behalf(system, "My cat is ill.") is None


def test_documents_before_a_question_are_not_the_persons_words() -> None:
    text = f"{RAG}<context>\n<source>Paris</source>\n</context>\n\nWhere do I live?"

    assert on_whose_behalf("", text) is None
    assert own_words(text) == "Where do I live?"


@pytest.mark.parametrize("text", ["Hello", RAG, f"{RAG}<context></context>", "a </context> b"])
def test_words_without_documents_before_them_stay_whole(text: str) -> None:
    assert own_words(text) == text
