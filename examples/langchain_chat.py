"""LangChain's ChatOpenAI through a Memweaver server, which remembers on its way.

MEMWEAVER_UPSTREAM__URL=http://127.0.0.1:11434/v1 memweaver serve
python examples/langchain_chat.py API_KEY [URL] [MODEL]
"""

import sys

from langchain_openai import ChatOpenAI
from pydantic import SecretStr


def main(api_key: str, url: str = "http://127.0.0.1:8765", model: str = "llama3.2") -> None:
    def chat(session: str) -> ChatOpenAI:
        return ChatOpenAI(
            base_url=f"{url}/v1",
            api_key=SecretStr(api_key),
            model=model,
            default_headers={"X-Memweaver-Session": session},
        )

    print(chat("monday").invoke("My sister Ada moved to Lisbon.").text)

    # A chain that keeps no history of its own: what it needs to know comes from memory.
    for piece in chat("tuesday").stream("Where does my sister live?"):
        print(piece.text, end="", flush=True)
    print()


if __name__ == "__main__":
    main(*sys.argv[1:])
