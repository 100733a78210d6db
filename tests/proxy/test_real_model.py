"""A real, very small language model behind the proxy."""

from collections.abc import Generator
from pathlib import Path

import pytest
from openai import OpenAI
from tests.proxy.house import House, open_house
from tests.servers.llama import private_llama

from memweaver.app.house_sections import UpstreamSettings

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    folder: Path = tmp_path_factory.mktemp("real")
    with (
        private_llama() as url,
        open_house(folder, lambda _: UpstreamSettings(url=url, model="smollm2")) as house,
    ):
        yield house


@pytest.mark.requirement("B7", "B16")
def test_a_real_model_is_told_more_in_a_second_session(real: House) -> None:
    guest = real.guest()
    with OpenAI(api_key=guest.secret, base_url=guest.base_url, timeout=300) as client:

        def ask(text: str, wishes: dict[str, str]) -> int:
            """How many tokens the model was told."""
            answer = client.chat.completions.create(
                model="smollm2",
                messages=[{"role": "user", "content": text}],
                max_tokens=24,
                temperature=0,
                extra_headers=wishes,
            )
            assert answer.usage
            return answer.usage.prompt_tokens

        ask("My dog is called Bruno.", {"X-Memweaver-Session": "one"})
        alone = ask("What is my dog called?", {"X-Memweaver-Ephemeral": "on"})
        reminded = ask("What is my dog called?", {"X-Memweaver-Session": "two"})
        stream = client.chat.completions.create(
            model="smollm2",
            messages=[{"role": "user", "content": "Say hello."}],
            max_tokens=8,
            stream=True,
            stream_options={"include_usage": True},
        )
        chunks = list(stream)

    assert reminded > alone + 20
    assert chunks[-1].usage
    assert len(guest.turns()) == 3
