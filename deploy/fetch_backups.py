"""Copy backups of the service to this machine: `fetch_backups.py SOURCE FOLDER [KEEP]`.

SOURCE is what rsync reads, such as `baza@club.example:`. Runs on another machine, which needs
Python 3.11, rsync and ssh, nothing of Baza. What came is read through: a file that differs from its
manifest is renamed to `.bad`. The newest KEEP stay (60). Exit code 1, with a line, where rsync
fails, a file is bad, or the newest copy is older than 26 hours.
"""

import hashlib
import json
import subprocess
import sys
import tarfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast

STAMP = "baza-%Y%m%d-%H%M%SZ.tar"  # as `manage.py backup FOLDER` names them
OLDEST = 26 * 3600  # seconds, as in /readyz


def main(source: str, folder: str, keep: str = "60") -> int:
    """Copy, read through, remove the oldest, and say what is wrong."""
    target = Path(folder)
    had = set(target.glob("baza-*.tar"))
    # A file gets its name only when it is complete, so that no half of one is copied.
    names = ("--include=baza-*.tar", "--exclude=*")
    rsync = ["rsync", "--archive", "--ignore-existing", *names, f"{source.rstrip('/')}/", folder]
    if subprocess.run(rsync, check=False).returncode:  # noqa: S603 - no shell, own words
        return complain(f"{source}: rsync failed")
    bad = [path for path in sorted(set(target.glob("baza-*.tar")) - had) if not is_whole(path)]
    for path in bad:
        path.rename(path.with_suffix(".bad"))
    copies = sorted(target.glob("baza-*.tar"), reverse=True)
    for path in copies[int(keep) :]:
        path.unlink()
    if bad:
        return complain(f"not as their manifests say: {', '.join(path.name for path in bad)}")
    if not copies or time.time() - made_at(copies[0]) > OLDEST:
        return complain(f"{folder}: no copy of the last 26 hours")
    print(f"{copies[0].name} is here and whole, with {len(copies[: int(keep)]) - 1} before it")
    return 0


def is_whole(path: Path) -> bool:
    """Return whether the parts of a backup are those of its manifest, and this as it was sealed."""
    try:
        with tarfile.open(path) as tar:
            text = part(tar, "manifest.json").read()
            seal = part(tar, "manifest.sha256").read().decode()
            sums = {
                name: hashlib.file_digest(part(tar, name), "sha256").hexdigest()
                for name in json.loads(text)["parts"]
            }
    except (tarfile.TarError, OSError, KeyError, ValueError):
        return False
    stated = {name: each["sha256"] for name, each in json.loads(text)["parts"].items()}
    return hashlib.sha256(text).hexdigest() == seal and sums == stated


def part(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    """Open a part of a backup. Raises KeyError where it is missing."""
    return cast("IO[bytes]", tar.extractfile(name))


def made_at(path: Path) -> float:
    """Return the time in the name of a backup."""
    return datetime.strptime(path.name, STAMP).replace(tzinfo=UTC).timestamp()


def complain(text: str) -> int:
    """Say what is wrong; return the exit code."""
    print(text, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
