"""REST: the same over HTTP, against a running server.

memweaver serve
python examples/rest.py API_KEY [URL]
"""

import sys

import httpx


def main(api_key: str, url: str = "http://127.0.0.1:8765") -> None:
    headers = {"Authorization": f"Bearer {api_key}"}
    with httpx.Client(base_url=url, headers=headers, trust_env=False) as server:
        print(server.get("/health").json()["status"])

        said = [{"role": "user", "text": "My sister Ada moved to Lisbon."}]
        turn = server.post(
            "/v1/turns",
            json={"messages": said, "session": "monday"},
            headers={"Idempotency-Key": "monday-1"},  # sent again, it is kept once
        )
        turn.raise_for_status()

        question = {"query": "Where does my sister live?", "limit": 3}
        found = server.post("/v1/recall", json=question).raise_for_status().json()
        print(found["hits"][0]["text"])
        print(found["context"])


if __name__ == "__main__":
    main(*sys.argv[1:])
