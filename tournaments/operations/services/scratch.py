"""Temporary files that hold a copy of the database or its password, and those of killed runs.

Each is locked while it is in use. The system lets the lock go when the process ends, however it
ends, so what is there without a lock was left behind.
"""

import fcntl
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISDIR
from typing import Final

BACKUP: Final = ".baza-backup-"
RESTORE: Final = ".baza-restore-"
EXPORT: Final = ".baza-export-"
SERVICE: Final = "baza-service-"
PREFIXES: Final = (BACKUP, RESTORE, EXPORT, SERVICE)
"""Beginnings of their names."""

logger = logging.getLogger(__name__)


@contextmanager
def scratch_folder(prefix: str, parent: Path | None = None) -> Iterator[Path]:
    """Give a folder for the owner alone, locked, and delete it; by default among temporary files.

    Raises OSError.
    """
    while True:
        folder = Path(tempfile.mkdtemp(dir=parent, prefix=prefix))
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if folder.exists():  # else another run removed it before it was locked
            break
        os.close(handle)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
        os.close(handle)


def remove_leftovers(*folders: Path | None) -> None:
    """Delete what killed runs left in some folders and among temporary files; log each.

    What is another user's, or in use, stays.
    """
    places = [folder for folder in folders if folder is not None and folder.is_dir()]
    for folder in {place.resolve() for place in (*places, Path(tempfile.gettempdir()))}:
        for path in sorted(folder.iterdir()):
            if path.name.startswith(PREFIXES):
                _remove_unlocked(path)


def _remove_unlocked(path: Path) -> None:
    try:
        # Without waiting, in case it is a pipe: anyone may write among temporary files.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return  # another user's, or gone meanwhile
    try:
        status = os.fstat(handle)
        if status.st_uid != os.geteuid():
            return
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if S_ISDIR(status.st_mode):
            shutil.rmtree(path)
        else:
            path.unlink()
        logger.warning("removed %s: a run that was killed had left it behind", path)
    except BlockingIOError:
        pass  # in use
    except OSError as error:
        logger.error("%s, left behind by a killed run, cannot be removed: %s", path, error.strerror)  # noqa: TRY400
    finally:
        os.close(handle)
