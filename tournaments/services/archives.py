"""The file of a backup: a tar whose first member says what the others have to be.

``manifest.json``, ``manifest.sha256`` with its hash, and then the parts that the manifest names, in
its order, each with its size and its SHA-256. Nothing of a file is used before all of it is right.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

FORMAT: Final = "baza-backup/1"
MANIFEST: Final = "manifest.json"
SEAL: Final = "manifest.sha256"
CHUNK: Final = 1 << 20
LARGEST_MANIFEST: Final = 1 << 28
"""Bytes of a manifest: a line for every tournament of a federation, and room."""


class BackupError(Exception):
    """A backup that cannot be made or restored, with what is the matter and where."""


def write_archive(path: Path, manifest: Mapping[str, Any], parts: Mapping[str, Path]) -> None:
    """Write the file of a backup, whole or not at all, for its owner alone.

    Raises OSError where it cannot be written; then there is nothing of it.
    """
    listed = {name: _measured(part) for name, part in parts.items()}
    text = json.dumps({**manifest, "parts": listed}, ensure_ascii=False, indent=1).encode()
    seal = hashlib.sha256(text).hexdigest().encode()
    with (
        written_whole(path) as file,
        tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        _add(tar, MANIFEST, io.BytesIO(text), len(text))
        _add(tar, SEAL, io.BytesIO(seal), len(seal))
        for name, part in parts.items():
            with part.open("rb") as source:
                _add(tar, name, source, part.stat().st_size)


@contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write, which gets its name when all of it is on the disk; else it is gone."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".baza-backup-")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        give_name(Path(draft), path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def give_name(draft: Path, path: Path) -> None:
    """Give a file that is on the disk its name, in place of an old file of that name."""
    draft.replace(path)
    _settle(path.parent)


def _add(tar: tarfile.TarFile, name: str, source: IO[bytes], size: int) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    tar.addfile(member, source)


def _settle(folder: Path) -> None:
    """Have the folder remember the new name, whatever happens to the machine."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _measured(part: Path) -> dict[str, Any]:
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"bytes": part.stat().st_size, "sha256": digest}


def read_archive(path: Path, into: Path | None = None) -> dict[str, Any]:
    """Read the file of a backup through, compare every part, and return the manifest.

    ``into`` is a folder that the parts are laid into, each under its name. Raises BackupError with
    the first part that is not as it was written, OSError where the file cannot be read.
    """
    place = MANIFEST
    try:
        with tarfile.open(path, "r:") as tar:
            manifest = _manifest(tar)
            for place, wanted in manifest["parts"].items():
                _take(tar, place, wanted, into)
            place = "the end"
            _assert_ended(tar)
    except tarfile.TarError as error:
        raise BackupError(f"{path}: damaged or cut short in {place}: {error}") from error
    except BackupError as error:
        raise BackupError(f"{path}: {error}") from error
    return manifest


def _manifest(tar: tarfile.TarFile) -> dict[str, Any]:
    text = _member(tar, MANIFEST).read(LARGEST_MANIFEST)
    seal = _member(tar, SEAL).read(64).decode("ascii", "replace")
    if hashlib.sha256(text).hexdigest() != seal:
        raise BackupError(f"{MANIFEST} is not as it was written")
    manifest: dict[str, Any] = json.loads(text)
    if manifest.get("format") != FORMAT:
        raise BackupError(f"its format is {manifest.get('format')!r}, not {FORMAT!r}")
    return manifest


def _assert_ended(tar: tarfile.TarFile) -> None:
    if tar.next() is not None:
        raise BackupError("there is something after the last part")


def _member(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    """Open the next member, which has to be this one."""
    member = tar.next()
    if member is None:
        raise BackupError(f"damaged or cut short before {name}")
    file = tar.extractfile(member) if member.isreg() else None
    if member.name != name or file is None:
        raise BackupError(f"{member.name!r} stands where {name} should be")
    return file


def _take(tar: tarfile.TarFile, name: str, wanted: Mapping[str, Any], into: Path | None) -> None:
    if Path(name).name != name:
        raise BackupError(f"{name!r} is no name of a part")
    source, digest, size = _member(tar, name), hashlib.sha256(), 0
    with Path(os.devnull if into is None else into / name).open("wb") as target:
        while chunk := source.read(CHUNK):
            digest.update(chunk)
            size += len(chunk)
            target.write(chunk)
    if size != wanted["bytes"]:
        raise BackupError(f"{name} has {size} bytes instead of {wanted['bytes']}")
    if digest.hexdigest() != wanted["sha256"]:
        raise BackupError(f"{name} is not as it was written: its SHA-256 differs")
