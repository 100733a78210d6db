"""What only master keys in a file can do, or suffer."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from stat import S_ISDIR

import pytest

from memweaver.adapters.crypto import FileMasterKeys
from memweaver.errors import ConfigurationError, StorageFull, Unreadable

MAKE = """
import sys
from pathlib import Path
from memweaver.adapters.crypto import FileMasterKeys

print(FileMasterKeys(Path(sys.argv[1])).current().secret.hex())
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "master.key"


def test_the_file_is_made_at_first_use_for_its_owner_alone(path: Path) -> None:
    keys = FileMasterKeys(path)
    assert not path.exists()
    keys.current()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_wide_umask_does_not_widen_the_file(path: Path) -> None:
    before = os.umask(0)
    try:
        FileMasterKeys(path).add()
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600


def test_keys_are_there_when_opened_again(path: Path) -> None:
    first = FileMasterKeys(path).current()
    second = FileMasterKeys(path).add()
    again = FileMasterKeys(path)
    assert (again.version(1), again.current()) == (first, second)


def test_what_another_process_did_is_seen_at_once(path: Path) -> None:
    here, there = FileMasterKeys(path), FileMasterKeys(path)
    old = here.current()
    new = there.add()
    assert here.current() == new
    assert here.version(old.version) == old
    there.retire(new.version)
    with pytest.raises(Unreadable, match="no master key version 1"):
        here.version(old.version)


def test_processes_that_start_together_get_one_key(path: Path) -> None:
    command = [sys.executable, "-c", MAKE, str(path)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(3)]
    assert len({process.communicate()[0] for process in started}) == 1


def test_versions_made_at_once_are_all_kept(path: Path) -> None:
    FileMasterKeys(path).current()
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: FileMasterKeys(path).add(), range(16)))
    assert sorted(key.version for key in made) == list(range(2, 18))
    assert all(FileMasterKeys(path).version(key.version) == key for key in made)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o610, 0o644, 0o777])
def test_a_file_open_to_others_is_refused_with_the_remedy(path: Path, mode: int) -> None:
    keys = FileMasterKeys(path)
    keys.current()
    path.chmod(mode)
    for opened in (keys, FileMasterKeys(path)):
        with pytest.raises(ConfigurationError, match="chmod 600"):
            opened.current()
    path.chmod(0o600)
    assert keys.current().version == 1


def test_a_file_that_cannot_be_read_is_refused_with_the_remedy(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(ConfigurationError, match=r"cannot be used .* own it"):
        FileMasterKeys(path).current()


def test_a_full_disk_is_called_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = FileMasterKeys(path)
    old = keys.current()

    def no_room(_: int) -> None:
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as full:
        full.setattr(os, "fsync", no_room)
        with pytest.raises(StorageFull):
            keys.add()
    assert keys.current() == FileMasterKeys(path).current() == old


def test_a_file_that_goes_missing_is_not_made_anew(path: Path) -> None:
    keys = FileMasterKeys(path)
    keys.current()
    path.unlink()
    with pytest.raises(ConfigurationError, match="put it back from a backup"):
        keys.current()
    assert not path.exists()


def test_asking_for_a_version_makes_no_file(path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is missing"):
        FileMasterKeys(path).version(1)
    assert not path.exists()


@pytest.mark.parametrize(
    "content",
    [
        "",
        "c2VjcmV0LXNlY3JldA==",
        "[]",
        "{}",
        '{"master_keys": {}}',
        '{"master_keys": ["c2VjcmV0LXNlY3JldA=="]}',
        '{"master_keys": {"1": "c2VjcmV0LXNlY3JldA=="}}',
        '{"master_keys": {"one": "c2VjcmV0LXNlY3JldA=="}}',
        '{"master_keys": {"1": 5}}',
        '{"master_keys": {"1": "c2VjcmV0LXNl',
    ],
)
def test_a_spoilt_file_is_refused_unchanged_and_unquoted(path: Path, content: str) -> None:
    path.parent.mkdir()
    path.touch(mode=0o600)
    path.write_text(content)
    for use in (FileMasterKeys.current, FileMasterKeys.add):
        with pytest.raises(ConfigurationError, match="no valid master keys") as caught:
            use(FileMasterKeys(path))
        assert "c2Vj" not in str(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__
    assert path.read_text() == content


CHANGES = [("add", ["1", "2", "3"]), ("retire", ["2"])]
"""What is done to versions 1 and 2, and what there is afterwards."""


@pytest.mark.parametrize(("change", "versions"), CHANGES)
def test_a_process_killed_at_any_line_leaves_the_old_keys_or_the_new(
    tmp_path: Path, change: str, versions: list[str]
) -> None:
    crashes = left_by_crashes(tmp_path, change, "sound")
    assert not [crash for crash in crashes if not harmless(crash, versions)]
    assert [*keys_in(crashes[-1]["after"])] == versions
    assert len(crashes) > 20


@pytest.mark.parametrize(("change", "versions"), CHANGES)
def test_the_crashes_notice_a_file_that_is_written_in_place(
    tmp_path: Path, change: str, versions: list[str]
) -> None:
    crashes = left_by_crashes(tmp_path, change, "careless")
    assert [crash for crash in crashes if not harmless(crash, versions)]


def test_what_a_crash_left_behind_is_cleared_by_the_next_change(path: Path) -> None:
    keys = FileMasterKeys(path)
    keys.current()
    left = path.with_name("master.key.new")
    left.write_text("half")
    left.chmod(0o644)
    assert keys.add() == FileMasterKeys(path).current()
    assert {file.name for file in path.parent.iterdir()} == {"master.key", "master.key.lock"}
    assert path.stat().st_mode & 0o777 == 0o600


def left_by_crashes(folder: Path, change: str, writer: str) -> list[dict[str, str]]:
    """The file before and after a crash, for a crash before each line of ours."""
    script = Path(__file__).with_name("kill_at_every_line.py")
    command = [sys.executable, str(script), str(folder), change, writer]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in lines.splitlines()]


def harmless(crash: dict[str, str], versions: list[str]) -> bool:
    """Whether the old keys are there, or all of the new."""
    try:
        old, new = keys_in(crash["before"]), keys_in(crash["after"])
    except json.JSONDecodeError:
        return False
    unchanged = all(new[version] == old[version] for version in new.keys() & old.keys())
    return unchanged and list(new) in (list(old), versions)


def keys_in(content: str) -> dict[str, str]:
    keys: dict[str, str] = json.loads(content)["master_keys"]
    return keys


def test_the_file_is_on_disk_before_its_name_and_its_name_before_we_say_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    sync, rename = os.fsync, Path.replace

    def noted_sync(descriptor: int) -> None:
        steps.append("folder" if S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        sync(descriptor)

    def noted_rename(self: Path, target: Path) -> Path:
        steps.append("name")
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(Path, "replace", noted_rename)
    FileMasterKeys(path).current()
    assert steps == ["file", "name", "folder"]
