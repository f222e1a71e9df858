"""Tries one way out of the sandbox at each question, reports the outcome, and plays on if it can.

``plan.json`` beside it names the attacks and what each is aimed at, in order.
"""

# ruff: noqa: PLW0108, PTH208, S606 - what attacks look like

import contextlib
import ctypes
import errno
import fcntl
import json
import mmap
import os
import platform
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HOME = Path(__file__).parent
PLAN = HOME / "plan.json"
TARGET = ""
PARENT = os.getppid()
C = ctypes.CDLL(None, use_errno=True)
NUMBERS = {
    "x86_64": {
        "bpf": 321,
        "keyctl": 250,
        "memfd_create": 319,
        "mount": 165,
        "perf_event_open": 298,
        "process_vm_readv": 310,
        "ptrace": 101,
        "seccomp": 317,
        "unshare": 272,
        "userfaultfd": 323,
        "setns": 308,
        "sched_setaffinity": 203,
        "inotify_init1": 294,
    },
    "aarch64": {
        "bpf": 280,
        "keyctl": 219,
        "memfd_create": 279,
        "mount": 40,
        "perf_event_open": 241,
        "process_vm_readv": 270,
        "ptrace": 117,
        "seccomp": 277,
        "unshare": 97,
        "userfaultfd": 282,
        "setns": 268,
        "sched_setaffinity": 122,
        "inotify_init1": 26,
    },
}[platform.machine()]
NEW = {"clone3": 435, "io_uring_setup": 425, "openat2": 437, "pidfd_open": 434}


def call(name: str, *arguments: Any) -> int:
    """Make a system call; raise what it fails with."""
    number = NEW.get(name) or NUMBERS[name]
    result: int = C.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def checked(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


def tcp(kind: int = socket.SOCK_STREAM) -> None:
    socket.create_connection(("127.0.0.1", int(TARGET)), timeout=5)


def udp() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"secret", ("127.0.0.1", int(TARGET)))


def unix() -> None:
    socket.socket(socket.AF_UNIX).connect(TARGET)


def bind() -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()


def link_and_read() -> None:
    (HOME / "link").symlink_to(TARGET)
    (HOME / "link").read_text()


def double_fork() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.pause()


def fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def fork_bomb() -> None:
    while True:
        os.fork()


def through_the_loader() -> None:
    loaders = [*Path("/lib64").glob("ld-*"), *Path("/lib").glob("ld-*")]
    os.execv(loaders[0], [str(loaders[0]), "/bin/sh", "-c", "echo out >&2"])


def raw_vfork() -> None:
    """A new process through clone itself, SIGCHLD its only flag."""
    number = {"x86_64": 56, "aarch64": 220}[platform.machine()]
    child = C.syscall(number, signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    checked(child)


def new_namespace_thread() -> None:
    number = {"x86_64": 56, "aarch64": 220}[platform.machine()]
    child = C.syscall(number, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)  # CLONE_NEWUSER
    if child == 0:
        os._exit(0)
    checked(child)


def shared_memory() -> None:
    memory = mmap.mmap(-1, 1 << 30)
    memory[0] = memory[1 << 29] = 1


def growing_memory() -> None:
    C.mmap.restype = ctypes.c_void_p
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100  # MAP_GROWSDOWN
    C.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    if C.mmap(None, 1 << 30, 3, flags, -1, 0) == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "mmap")


def many_files() -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(33):
            stack.enter_context(Path(__file__).open())


def many_pipes() -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            for end in os.pipe():
                stack.callback(os.close, end)


def raise_limits() -> None:
    for name in (resource.RLIMIT_NOFILE, resource.RLIMIT_DATA, resource.RLIMIT_CPU):
        try:
            resource.setrlimit(name, (1 << 30, 1 << 30))
        except ValueError as error:  # what Python makes of a refusal
            raise PermissionError(errno.EPERM, "setrlimit") from error


def inherited_files() -> None:
    """Something open that is not one of the three streams."""
    for number in range(3, 32):
        try:
            os.fstat(number)
        except OSError:
            continue
        return
    raise PermissionError(errno.EPERM, "nothing is open")


def secrets_in_environment() -> None:
    strange = set(os.environ) - {"HOME", "LANG", "LC_CTYPE", "PATH"}
    if not [name for name in strange if not name.startswith("PYTHON")]:
        raise PermissionError(errno.EPERM, "nothing to see")


def outlive_the_parent() -> None:
    checked(C.prctl(1, 0, 0, 0, 0))  # PR_SET_PDEATHSIG


def own_the_parents_signals() -> None:
    fcntl.fcntl(0, fcntl.F_SETOWN, PARENT)


def climb() -> None:
    home_fd = os.open(HOME, os.O_RDONLY)
    try:
        os.listdir(os.open("..", os.O_RDONLY | os.O_DIRECTORY, dir_fd=home_fd))
    finally:
        os.close(home_fd)


def regain_rights() -> None:
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    every = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    checked(C.capset(header, every))


def fill_the_disk() -> None:
    with Path(TARGET).open("ab") as file:
        file.write(bytes(1 << 20))


def empty_by_openat2() -> None:
    how = (ctypes.c_uint64 * 3)(os.O_RDONLY | os.O_TRUNC, 0, 0)
    call("openat2", -100, str(PLAN).encode(), how, ctypes.sizeof(how))  # AT_FDCWD


def grow_the_stack() -> None:
    """Allocate a gigabyte of it; the next program would get it, despite limits on other memory."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_STACK)
    try:
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 30, hard_limit))
    except ValueError as error:  # what Python makes of a refusal
        raise PermissionError(errno.EPERM, "setrlimit") from error


def ptrace_parent() -> None:
    call("ptrace", 16, PARENT, 0, 0)  # PTRACE_ATTACH


def read_parents_memory() -> None:
    call("process_vm_readv", PARENT, None, 0, None, 0, 0)


ATTACKS: dict[str, Callable[[], Any]] = {
    "read the password file": lambda: Path("/etc/passwd").read_text(),
    "read a file by its path": lambda: Path(TARGET).read_text(),
    "list the root": lambda: os.listdir("/"),
    "list the home of the user": lambda: os.listdir(TARGET),
    "list the folder above": climb,
    "read the parent's environment": lambda: Path(f"/proc/{PARENT}/environ").read_bytes(),
    "read the parent's memory map": lambda: Path(f"/proc/{PARENT}/maps").read_text(),
    "list processes": lambda: os.listdir("/proc"),
    "read about itself": lambda: Path("/proc/self/status").read_text(),
    "find secrets in its environment": secrets_in_environment,
    "find files left open": inherited_files,
    "write beside itself": lambda: (HOME / "new").write_text("x"),
    "write to the temporary folder": lambda: Path("/tmp/baza-escaped").write_text("x"),  # noqa: S108
    "write to shared memory": lambda: Path("/dev/shm/baza-escaped").write_text("x"),  # noqa: S108
    "overwrite itself": lambda: Path(__file__).write_text("x"),
    "fill the disk": fill_the_disk,
    "truncate a file": lambda: os.truncate(TARGET, 0),
    "empty a file that it may read": lambda: os.open(PLAN, os.O_RDONLY | os.O_TRUNC),
    "empty a file that it opens for nothing": lambda: os.open(TARGET, 3 | os.O_TRUNC),
    "empty a file through openat2": empty_by_openat2,
    "delete a file": lambda: Path(TARGET).unlink(),
    "rename a file": lambda: Path(TARGET).rename(TARGET + "x"),
    "change rights of a file": lambda: Path(TARGET).chmod(0o777),
    "change rights of itself": lambda: Path(__file__).chmod(0o777),
    "date a file back": lambda: os.utime(TARGET, (0, 0)),
    "make a folder": lambda: (HOME / "folder").mkdir(),
    "read through a symbolic link": lambda: (HOME / "planted").read_text(),
    "make a symbolic link": link_and_read,
    "make a hard link": lambda: os.link(TARGET, HOME / "hard"),
    "make a device": lambda: os.mknod(HOME / "disk", 0o600 | 0o060000, os.makedev(7, 0)),
    "connect by TCP": tcp,
    "send by UDP": udp,
    "connect to a unix socket": unix,
    "connect to an abstract socket": lambda: socket.socket(socket.AF_UNIX).connect("\0" + TARGET),
    "make a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0),
    "listen": bind,
    "make a pair of sockets": socket.socketpair,
    "fork": fork,
    "fork bomb": fork_bomb,
    "fork twice into a session of its own": double_fork,
    "fork through clone": raw_vfork,
    "fork through clone3": lambda: call("clone3", None, 0),
    "run a shell": lambda: subprocess.run(["/bin/sh", "-c", "exit 0"], check=True),
    "run through posix_spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "become a shell": lambda: os.execv("/bin/sh", ["sh", "-c", "echo out >&2"]),
    "become a set-uid program": lambda: os.execv("/bin/su", ["su", "-c", "id"]),
    "become a shell through the loader": through_the_loader,
    "become a file of its own": lambda: os.execv(HOME / "tool", ["tool"]),
    "signal the parent": lambda: os.kill(PARENT, signal.SIGCONT),
    "signal everybody": lambda: os.kill(-1, signal.SIGCONT),
    "signal its group": lambda: os.killpg(0, signal.SIGCONT),
    "send the parent signals of a file": own_the_parents_signals,
    "open the parent by number": lambda: call("pidfd_open", PARENT, 0),
    "trace the parent": ptrace_parent,
    "read the parent's memory": read_parents_memory,
    "limit the parent": lambda: resource.prlimit(PARENT, resource.RLIMIT_NOFILE, (64, 64)),
    "slow the parent down": lambda: os.setpriority(os.PRIO_PROCESS, PARENT, 5),
    "bind the parent to a processor": lambda: call("sched_setaffinity", PARENT, 8, b"\1" * 8),
    "outlive the parent": outlive_the_parent,
    "raise its own limits": raise_limits,
    "grow the stack": grow_the_stack,
    "open many files": many_files,
    "open many pipes": many_pipes,
    "share memory that is not counted": shared_memory,
    "grow memory that is not counted": growing_memory,
    "make a file of memory": lambda: call("memfd_create", b"x", 0),
    "use io_uring": lambda: call("io_uring_setup", 1, (ctypes.c_char * 256)()),
    "load a BPF program": lambda: call("bpf", 0, (ctypes.c_char * 128)(), 128),
    "read the keyring": lambda: call("keyctl", 0, -3, 0, 0, 0),
    "watch performance": lambda: call("perf_event_open", (ctypes.c_char * 128)(), 0, -1, -1, 0),
    "handle page faults": lambda: call("userfaultfd", 1),
    "watch files": lambda: call("inotify_init1", 0),
    "make a user namespace": lambda: call("unshare", 0x10000000),
    "fork into a user namespace": new_namespace_thread,
    "join a namespace": lambda: call("setns", 0, 0),
    "mount": lambda: call("mount", b"none", str(HOME).encode(), b"tmpfs", 0, None),
    "change its root": lambda: os.chroot(HOME),
    "change its user": lambda: os.setuid(65534),
    "regain rights": regain_rights,
    "change its filter": lambda: call("seccomp", 1, 0, None),
}


def denial(attack: str) -> str:
    """Try an attack; ``denied`` only for the errors with which a sandbox denies."""
    denials = [errno.EACCES, errno.EPERM, errno.ENOSYS]
    if attack.startswith("open many"):
        denials = [errno.EMFILE]
    try:
        ATTACKS[attack]()
    except OSError as error:
        if error.errno in denials:
            return "denied"
        return f"aimed at nothing: {error}"
    return "escaped"


def main() -> None:
    global TARGET
    plan = json.loads(PLAN.read_text())
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "ready", "protocol": message["protocol"]}), flush=True)
        elif message["type"] == "ask":
            attack, TARGET = plan.pop(0)
            print(f"{attack}: {denial(attack)}", file=sys.stderr, flush=True)
            print(json.dumps({"id": message["id"], "say": message["legal"][0]}), flush=True)


if __name__ == "__main__":
    main()
