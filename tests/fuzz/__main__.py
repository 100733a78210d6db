"""`make fuzz-api`: every operation, 100 cases each. The last line is JSON; exit 1 is a find."""

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

from tests.fuzz.trial import fuzzed


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(fuzzed(Path(folder), cases=chosen.cases, seed=chosen.seed))
    sys.stderr.write(found.told)
    result = {
        "operations": found.operations,
        "cases": found.cases,
        "failures": len(found.failures),
        "cases_each": chosen.cases,
        "seed": chosen.seed,
    }
    sys.stdout.write(json.dumps(result) + "\n")
    sys.exit(1 if found.failures else 0)


if __name__ == "__main__":
    main()
