"""The library for programs that do not await.

python examples/quickstart_blocking.py [FOLDER]
"""

import sys

from memweaver import Message, Role, Said, Scope, sync


def main(folder: str = "memweaver-data") -> None:
    ann = Scope("ann")
    with sync.open(folder) as memory:
        memory.record(ann, Said((Message(Role.USER, "My sister Ada moved to Lisbon."),)))
        found = memory.recall(ann, "Where does my sister live?")
        for hit in found.hits:
            print(hit.text)


if __name__ == "__main__":
    main(*sys.argv[1:])
