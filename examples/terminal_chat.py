"""A chat in the terminal that remembers.

    MEMWEAVER_UPSTREAM__URL=http://127.0.0.1:11434/v1 memweaver serve
    python examples/terminal_chat.py API_KEY [URL] [MODEL]

Beside what you say there are `/recall WORDS` (what is known about it), `/forget NUMBER` (erase
what `/recall` has shown under that number) and `/quit`.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

from memweaver.client import Hit, Kind
from memweaver.client.blocking import BlockingClient, connect
from memweaver.errors import MemweaverError

RECENT = 20
"""Messages of the conversation that go along; the rest is left to memory."""


class Conversation:
    def __init__(self, client: BlockingClient, model: str) -> None:
        self.client = client
        self.model = model
        self.session = client.sessions.create("In the terminal").id
        self.messages: list[dict[str, str]] = []
        self.shown: Sequence[Hit] = ()

    def say(self, text: str) -> None:
        """Show the answer as it comes; the turn is recorded by the server."""
        asked = [*self.messages, {"role": "user", "content": text}][-RECENT:]
        answer = ""
        for piece in self.client.stream(asked, model=self.model, session=self.session):
            print(piece, end="", flush=True)
            answer += piece
        print()
        # Only now: what got no answer is asked again, and not along with something else.
        self.messages = [*asked, {"role": "assistant", "content": answer}]

    def recall(self, words: str) -> None:
        self.shown = self.client.recall(words, limit=5).hits
        for number, hit in enumerate(self.shown, 1):
            print(f"{number}. {hit.text}")

    def forget(self, number: str) -> None:
        hit = self.shown[int(number) - 1]
        records = self.client.turns if hit.kind is Kind.TURN else self.client.memories
        records.erase(hit.id)
        print(f"Forgotten: {hit.text}")

    def heard(self, line: str) -> None:
        match line.split(maxsplit=1):
            case ["/recall", words]:
                self.recall(words)
            case ["/forget", number] if number in map(str, range(1, len(self.shown) + 1)):
                self.forget(number)
            case [command, *_] if command.startswith("/"):
                print("There are /recall WORDS, /forget NUMBER as shown by it, and /quit.")
            case [_, *_]:
                self.say(line)


def main(api_key: str, url: str = "http://127.0.0.1:8765", model: str = "llama3.2") -> None:
    with connect(url, api_key) as client:
        conversation = Conversation(client, model)
        for line in typed("> " if sys.stdin.isatty() else ""):
            try:
                conversation.heard(line)
            except MemweaverError as error:
                print(f"{error.code}: {error}")


def typed(prompt: str) -> Iterator[str]:
    with suppress(EOFError):
        while (line := input(prompt).strip()) != "/quit":
            yield line


if __name__ == "__main__":
    main(*sys.argv[1:])
