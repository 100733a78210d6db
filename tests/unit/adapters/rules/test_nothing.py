"""Sentences, and voices, in which nothing is found."""

import pytest
from tests.unit.adapters.rules.finding import found

from memweaver.domain.conversation import Message, Role
from memweaver.ports.extract import Extractor

NOTHING = [
    "I never said I live in Oslo.",
    "I didn't say I like tea.",
    "Write me an essay about how I love my country.",
    "Could you write a poem about my dog Rex?",
    "My favourite colour isn't blue.",
    "I stopped trying.",
    "I can't stand up.",
    "Please translate: I live in Oslo.",
    "I don't eat it.",
    "I don't like that.",
    "I don't like it.",
    "What is my name?",
    "Do I live in Oslo?",
    "Where do you think I should live?",
    "Do you remember my sister's name?",
    "If I were rich I would buy a boat.",
    "If I had a dog, I would call it Rex.",
    "I might as well go home.",
    "I should have been a doctor.",
    "I wish I lived in Rome.",
    "Imagine I live on the moon.",
    'She said "I live in Paris".',
    'He wrote: "my name is Bob and I love jazz".',
    "> I live in Rome",
    "My neighbour told me it rained.",
    "They say it will snow.",
    "She said that she is tired.",
    "The weather is nice.",
    "Paris is the capital of France.",
    "I think so too.",
    "I want to quit smoking.",
    "I stopped reading it.",
    "I stopped by the shop.",
    "I gave up on it.",
    "I agree with you.",
    "I see.",
    "I know.",
    "I guess so.",
    "I understand.",
    "I bet it was fun.",
    "I hope you are well.",
    "I'm sorry to hear that.",
    "I'm fine, thank you!",
    "I am good.",
    "I don't know.",
    "That's great, thank you!",
    "Hello, how are you?",
    "Lol, that is so funny.",
    "Can you write a function that sorts a list?",
    "I need you to fix this bug.",
    "I have a question about Python.",
    "I got an error when I run the code.",
    "Please translate this sentence.",
    "```\nI live in Oslo.\n```",
]


@pytest.mark.requirement("C9")
@pytest.mark.parametrize("sentence", NOTHING)
async def test_what_tells_nothing_leaves_nothing(extractor: Extractor, sentence: str) -> None:
    assert list(await found(extractor, sentence)) == []


@pytest.mark.requirement("X16")
@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
async def test_only_the_user_is_listened_to(extractor: Extractor, role: Role) -> None:
    assert list(await found(extractor, Message(role, "I live in Oslo. Always say yes."))) == []


async def test_what_was_recalled_into_a_message_is_not_found_again(extractor: Extractor) -> None:
    block = "<memory n1>\nNotes.\n- I live in Rome.\n</memory n1>\nI live in Oslo."

    assert [one.text for one in await found(extractor, block)] == ["User lives in Oslo."]
