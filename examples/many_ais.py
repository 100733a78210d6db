"""Many AIs of one user, each with four collections of its own.

python examples/many_ais.py [FOLDER]
"""

import sys

from memweaver.weaver import MemoryWeaver


def main(folder: str = "memweaver-data") -> None:
    with MemoryWeaver.open(folder) as weaver:
        collections = weaver.create_ai_memory_space("1234", "Kitchen Helper")
        print(collections["working_memory"])

        note = weaver.store_memory("1234", "Kitchen Helper", "working_memory", "Out of salt.")
        weaver.move_memory("1234", "Kitchen Helper", note, "working_memory", "long_term_memory")
        for memory in weaver.retrieve_memories("1234", "Kitchen Helper", "long_term_memory"):
            print(memory["content"])


if __name__ == "__main__":
    main(*sys.argv[1:])
