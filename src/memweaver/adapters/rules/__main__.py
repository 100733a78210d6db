"""The rules' own process: a scene on each line in, an answer on each line out, until the end.

python -m memweaver.adapters.rules [language]
"""

import sys

from memweaver.adapters.rules.finding import Rules
from memweaver.adapters.rules.language import language_named
from memweaver.adapters.rules.wire import Answer, asked, told
from memweaver.background import behind_others
from memweaver.errors import ConfigurationError, place_of


def main() -> None:
    behind_others()
    rules = Rules(language_named(*sys.argv[1:] or ["english"]))
    answers, sys.stdout = sys.stdout.buffer, sys.stderr  # whoever prints something does not answer
    for line in sys.stdin.buffer:
        answers.write(told(answer(rules, line)))
        answers.flush()


def answer(rules: Rules, line: bytes) -> Answer:
    try:
        return Answer(rules.found(asked(line)))
    except ConfigurationError as error:
        return Answer(missing=str(error))
    except Exception as error:  # noqa: BLE001 - it is told to whoever asked, without its words
        return Answer(broke=place_of(error))


if __name__ == "__main__":
    main()
