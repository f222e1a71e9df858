"""The system calls that a bot may make, by number, for the two machines that are known.

All others are refused. Numbers: Linux ``arch/x86/entry/syscalls/syscall_64.tbl`` and
``include/uapi/asm-generic/unistd.h``; they never change.
"""

from types import MappingProxyType
from typing import Final

_FREE: Final = """
    access alarm arch_prctl brk capget chdir clock_getres clock_gettime clock_nanosleep close
    close_range dup dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2
    epoll_wait eventfd eventfd2 execve exit exit_group faccessat faccessat2 fadvise64 fchdir
    fstat fstatfs futex futex_waitv getcpu getcwd getdents getdents64 getegid geteuid getgid
    getgroups getitimer getpgid getpgrp getpid getpriority getppid getrandom getresgid getresuid
    getrlimit getrusage getsid gettid gettimeofday getuid lseek lstat madvise membarrier mincore
    mprotect mremap msync munmap nanosleep newfstatat pause pipe pipe2 poll ppoll pread64 preadv
    preadv2 pselect6 pwrite64 pwritev read readlink readlinkat readv restart_syscall rseq
    rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait
    sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getparam
    sched_getscheduler sched_yield select set_robust_list set_tid_address setitimer setrlimit
    sigaltstack stat statfs statx sysinfo time timer_create timer_delete timer_getoverrun
    timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime times umask uname
    wait4 waitid write writev
"""
FREE: Final = frozenset(_FREE.split())
"""Calls allowed with any arguments: they reach the bot itself, or are Landlock's to judge."""

JUDGED: Final = (
    "clone",
    "clone3",
    "fcntl",
    "ioctl",
    "kill",
    "mmap",
    "open",
    "openat",
    "openat2",
    "prctl",
    "prlimit64",
    "tgkill",
)
"""Calls allowed or not by what they are asked (:mod:`engine.bots.seccomp`)."""


def _table(text: str) -> dict[str, int]:
    words = text.split()
    return {name: int(number) for name, number in zip(words[::2], words[1::2], strict=True)}


_X86_64: Final = _table(
    """
    access 21 alarm 37 arch_prctl 158 brk 12 capget 125 chdir 80 clock_getres 229
    clock_gettime 228 clock_nanosleep 230 clone 56 clone3 435 close 3 close_range 436 dup 32
    dup2 33 dup3 292 epoll_create 213 epoll_create1 291 epoll_ctl 233 epoll_pwait 281
    epoll_pwait2 441 epoll_wait 232 eventfd 284 eventfd2 290 execve 59 exit 60 exit_group 231
    faccessat 269 faccessat2 439 fadvise64 221 fchdir 81 fcntl 72 fstat 5 fstatfs 138 futex
    202 futex_waitv 449 getcpu 309 getcwd 79 getdents 78 getdents64 217 getegid 108 geteuid
    107 getgid 104 getgroups 115 getitimer 36 getpgid 121 getpgrp 111 getpid 39 getppid 110
    getpriority 140 getrandom 318 getresgid 120 getresuid 118 getrlimit 97 getrusage 98 getsid
    124 gettid 186 gettimeofday 96 getuid 102 ioctl 16 kill 62 lseek 8 lstat 6 madvise 28
    membarrier 324 mincore 27 mmap 9 mprotect 10 mremap 25 msync 26 munmap 11 nanosleep 35
    newfstatat 262 open 2 openat 257 openat2 437 pause 34 pipe 22 pipe2 293 poll 7 ppoll 271
    prctl 157 pread64 17 preadv 295 preadv2 327 prlimit64 302 pselect6 270 pwrite64 18 pwritev
    296 read 0 readlink 89 readlinkat 267 readv 19 restart_syscall 219 rseq 334 rt_sigaction
    13 rt_sigpending 127 rt_sigprocmask 14 rt_sigreturn 15 rt_sigsuspend 130 rt_sigtimedwait
    128 sched_get_priority_max 146 sched_get_priority_min 147 sched_getaffinity 204
    sched_getparam 143 sched_getscheduler 145 sched_yield 24 select 23 set_robust_list 273
    set_tid_address 218 setitimer 38 setrlimit 160 sigaltstack 131 stat 4 statfs 137 statx 332
    sysinfo 99 tgkill 234 time 201 timer_create 222 timer_delete 226 timer_getoverrun 225
    timer_gettime 224 timer_settime 223 timerfd_create 283 timerfd_gettime 287 timerfd_settime
    286 times 100 umask 95 uname 63 wait4 61 waitid 247 write 1 writev 20
    """
)

_AARCH64: Final = _table(
    """
    brk 214 capget 90 chdir 49 clock_getres 114 clock_gettime 113 clock_nanosleep 115 clone
    220 clone3 435 close 57 close_range 436 dup 23 dup3 24 epoll_create1 20 epoll_ctl 21
    epoll_pwait 22 epoll_pwait2 441 eventfd2 19 execve 221 exit 93 exit_group 94 faccessat 48
    faccessat2 439 fadvise64 223 fchdir 50 fcntl 25 fstat 80 fstatfs 44 futex 98 futex_waitv
    449 getcpu 168 getcwd 17 getdents64 61 getegid 177 geteuid 175 getgid 176 getgroups 158
    getitimer 102 getpgid 155 getpid 172 getppid 173 getpriority 141 getrandom 278 getresgid
    150 getresuid 148 getrlimit 163 getrusage 165 getsid 156 gettid 178 gettimeofday 169
    getuid 174 ioctl 29 kill 129 lseek 62 madvise 233 membarrier 283 mincore 232 mmap 222
    mprotect 226 mremap 216 msync 227 munmap 215 nanosleep 101 newfstatat 79 openat 56 openat2
    437 pipe2 59 ppoll 73 prctl 167 pread64 67 preadv 69 preadv2 286 prlimit64 261 pselect6 72
    pwrite64 68 pwritev 70 read 63 readlinkat 78 readv 65 restart_syscall 128 rseq 293
    rt_sigaction 134 rt_sigpending 136 rt_sigprocmask 135 rt_sigreturn 139 rt_sigsuspend 133
    rt_sigtimedwait 137 sched_get_priority_max 125 sched_get_priority_min 126
    sched_getaffinity 123 sched_getparam 121 sched_getscheduler 120 sched_yield 124
    set_robust_list 99 set_tid_address 96 setitimer 103 setrlimit 164 sigaltstack 132 statfs
    43 statx 291 sysinfo 179 tgkill 131 timer_create 107 timer_delete 111 timer_getoverrun 109
    timer_gettime 108 timer_settime 110 timerfd_create 85 timerfd_gettime 87 timerfd_settime
    86 times 153 umask 166 uname 160 wait4 260 waitid 95 write 64 writev 66
    """
)

NUMBERS: Final = MappingProxyType(
    {"x86_64": MappingProxyType(_X86_64), "aarch64": MappingProxyType(_AARCH64)}
)
"""Numbers by machine, as ``os.uname().machine`` names it."""
