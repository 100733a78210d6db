"""OpenAI's own client, as it is: only the address and the key are those of a Memweaver server.

MEMWEAVER_UPSTREAM__URL=http://127.0.0.1:11434/v1 memweaver serve
python examples/openai_client.py API_KEY [URL] [MODEL]
"""

import sys

from openai import OpenAI


def main(api_key: str, url: str = "http://127.0.0.1:8765", model: str = "llama3.2") -> None:
    client = OpenAI(base_url=f"{url}/v1", api_key=api_key)

    def ask(text: str, session: str) -> str:
        answer = client.chat.completions.create(
            model=model,
            messages=[{"role": "user", "content": text}],
            extra_headers={"X-Memweaver-Session": session},
        )
        return answer.choices[0].message.content or ""

    # What is said in one session is known in the next, though only one question is sent there.
    print(ask("My sister Ada moved to Lisbon.", session="monday"))
    print(ask("Where does my sister live?", session="tuesday"))


if __name__ == "__main__":
    main(*sys.argv[1:])
