"""Two AIs of one user: each has memories of its own, and one lets the other read them.

memweaver serve
python examples/two_ais.py API_KEY [URL]
"""

import asyncio
import sys
from dataclasses import replace

from memweaver.client import Ai, MemweaverClient


async def main(api_key: str, url: str = "http://127.0.0.1:8765") -> None:
    async with MemweaverClient(url, api_key) as client:
        cook, doctor = await client.ais.create("Cook"), await client.ais.create("Doctor")
        await client.memories.add("The user is allergic to peanuts.", ai=doctor.id)

        async def known_to(ai: Ai) -> str:
            found = await client.recall("What must I not eat?", ai=ai.id)
            return found.hits[0].text if found.hits else "nothing"

        print(f"The doctor knows: {await known_to(doctor)}")
        print(f"The cook knows: {await known_to(cook)}")

        # The doctor's memories may be read by the cook; not the other way round.
        shared = replace(doctor.permissions, shares=(cook.id,))
        await client.ais.update(doctor.id, permissions=shared)
        print(f"Now the cook knows: {await known_to(cook)}")

        # An AI goes with everything that it was told.
        for ai in (cook, doctor):
            await client.ais.erase(ai.id)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
