"""The command line with a mutant in it: `python -m benchmarks.chaos.mutated NAME serve`."""

import sys

from benchmarks.chaos.mutants import MUTANTS
from memweaver.cli import main

if __name__ == "__main__":
    _, name, *words = sys.argv
    MUTANTS[name]()
    sys.argv = ["memweaver", *words]
    main()
