"""The library: record a turn, write a memory, recall both.

    python examples/quickstart.py [FOLDER]

The folder holds the database and the key; run it twice and it remembers.
"""

import asyncio
import sys

import memweaver
from memweaver import Correction, Draft, Message, Role, Said, Scope


async def main(folder: str = "memweaver-data") -> None:
    ann = Scope("ann")
    async with memweaver.open(folder) as memory:
        said = (
            Message(Role.USER, "My sister Ada moved to Lisbon last week."),
            Message(Role.ASSISTANT, "I hope she likes it there!"),
        )
        await memory.record(ann, Said(said, session="monday"))
        tea = await memory.curate.add(ann, Draft("Ann drinks tea without sugar."))
        await memory.curate.correct(ann, tea.id, Correction("Ann drinks tea with honey."))

        for question in ("Where does my sister live?", "How do I take my tea?"):
            found = await memory.recall(ann, question, limit=3)
            print(question)
            print(f"  {found.hits[0].score:.2f}  {found.hits[0].text}")
        print(found.context)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
