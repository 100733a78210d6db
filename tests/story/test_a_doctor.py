"""`memweaver doctor` beside real neighbours; what else it finds is in tests/unit/cli."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.servers.private import Private
from tests.servers.rabbitmq import rabbitmq_url
from tests.servers.redis import redis_url
from tests.story.server import PATIENCE
from tests.unit.cli.test_doctor import upstream

from memweaver.app.doctor import CHECKS

MEMWEAVER = str(Path(sys.executable).with_name("memweaver"))


@pytest.mark.redis
@pytest.mark.rabbitmq
@pytest.mark.requirement("D11")
def test_people_get_one_line_for_each_check_and_all_is_well(
    tmp_path: Path, redis: Private, rabbitmq: Private
) -> None:
    with upstream(200) as url:
        answer = subprocess.run(
            [MEMWEAVER, "doctor"],
            cwd=tmp_path,
            env={
                "PATH": "/usr/bin:/bin",
                "HOME": str(tmp_path),
                "MEMWEAVER_SERVER__PORT": "0",
                "REDIS_URL": redis_url(redis),
                "RABBITMQ_URL": rabbitmq_url(rabbitmq),
                "MEMWEAVER_UPSTREAM__URL": url,
                "MEMWEAVER_TRACE__URL": url,
            },
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    lines = answer.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["ok"] * (len(CHECKS) + 1)
    assert (answer.returncode, answer.stderr) == (0, "")
