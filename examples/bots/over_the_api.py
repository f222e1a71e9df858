#!/usr/bin/env python3
"""Lets a bot play from here: fetches its turns over the API, and posts what it answers.

The bot is any program that speaks baza-bot/1; one is started for every seat of every match:

  BAZA_TOKEN=baza_… over_the_api.py http://127.0.0.1:8000 my-bot python3 first_steps.py
A bot in Python needs no program: give `play` what makes something with `answer` and `close`.
A bot that ends is reported, with the end of its standard error, and begun again; the others go on.
"""

import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.parse
import urllib.request

USAGE = "usage: BAZA_TOKEN=baza_… over_the_api.py SITE BOT PROGRAM [WORD …]"
PATIENCE = 30  # seconds for one request
LATER = 5  # seconds until the next, when it was not answered
END = 5  # seconds that a bot has to end
LINE = 65536  # bytes; a longer line is a fault, however long it is
ERRORS = 4000  # characters of standard error that are reported


class RefusedError(Exception):
    """The service knows no such token or bot: to ask again does not help."""


class CrashError(Exception):
    """A bot has ended: how, and the end of its standard error."""

    def __init__(self, ending, errors):
        super().__init__(ending)
        self.ending = ending
        self.errors = errors.replace("\0", "\ufffd")[-ERRORS:]

    def report(self):
        """The line that is posted in the place of an answer."""
        return {"failure": "crash", "ending": self.ending, "stderr": self.errors}


class Service:
    """The turns of one bot at a service."""

    def __init__(self, site, bot, token):
        bot = urllib.parse.quote(bot, safe="")
        self.address = f"{site.rstrip('/')}/api/v1/bots/{bot}/turns/"
        self.token = token

    def turns(self, query=""):
        """The open turns; raises RefusedError, and OSError when there is no answer."""
        try:
            return self.call(self.address + query)
        except urllib.error.HTTPError as error:
            if not is_final(error):
                raise
            problem = read(error)  # OSError, if it is the page of a proxy
            raise RefusedError(f"{self.address}: {problem.get('detail', error)}") from error

    def post(self, turn, line):
        """Answer a turn. Sent again when the answer is lost: the same line counts once."""
        body = line[: LINE + 1] if isinstance(line, bytes) else json.dumps(line).encode()
        while True:
            try:
                try:
                    return self.call(f"{self.address}{turn['id']}/", body)
                except urllib.error.HTTPError as error:
                    if is_final(error):
                        return read(error)  # too late, or answered already: it is over
            except OSError as error:
                print(f"not answered: {error}", file=sys.stderr)
            time.sleep(LATER)

    def call(self, address, body=None):
        """One request; raises OSError, of which HTTPError is one."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(address, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return read(response)
        except http.client.HTTPException as error:
            raise OSError(f"no answer: {error}") from error


def is_final(error):
    """Whether the same request gets the same answer again."""
    return error.code < 500 and error.code != 429


def read(response):
    """The JSON of an answer; raises OSError where it is cut short, or the page of a proxy."""
    try:
        return json.load(response)
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(f"no whole answer: {error}") from error


class Program:
    """A conversation with a program over its standard input and output."""

    def __init__(self, words):
        pipe = subprocess.PIPE
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the program
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=self.errors)

    def answer(self, message):
        """Give it a message; return its line, where the message asks for one. Raises CrashError."""
        asks = message["type"] in ("hello", "ask")
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline(LINE + 2) if asks else None
        except OSError:
            line = b""
        if line == b"":
            raise CrashError(self.ending(), self.last_errors())
        return line

    def ending(self):
        """How it ended; one that has only closed its output is killed."""
        try:
            code = self.process.wait(END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "closed"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"code {code}"

    def last_errors(self):
        """The end of its standard error."""
        self.errors.seek(max(0, self.errors.seek(0, os.SEEK_END) - 4 * ERRORS))
        return self.errors.read().decode(errors="replace")

    def close(self):
        """Let it end, or kill it."""
        with contextlib.suppress(OSError):  # it has ended, and there was more to say
            self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(END)
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()


def place(turn):
    """Which conversation a turn belongs to."""
    return turn["match"], turn["part"], turn["seat"]


def leave(bots, turn):
    """Let go the bot of a conversation, if there is one."""
    if place(turn) in bots:
        bots.pop(place(turn)).close()


def say(bots, make, turn):
    """Hand the messages of a turn to their bot, begun again by each hello; its last answer.

    Raises CrashError when the bot has ended; then it is let go.
    """
    line = None
    try:
        for message in turn["messages"]:
            if message["type"] == "hello":
                leave(bots, turn)
                bots[place(turn)] = make()
            line = bots[place(turn)].answer(message)
    except CrashError:
        leave(bots, turn)
        raise
    except Exception as error:  # of a bot in Python
        leave(bots, turn)
        raise CrashError("code 1", traceback.format_exc()) from error
    return line


def answer(service, bots, make, turn):
    """Post what the bot answers, or that it has ended."""
    try:
        line = say(bots, make, turn)
    except CrashError as crash:
        print(*place(turn), f"the bot has ended: {crash}", file=sys.stderr)
        print(crash.errors, file=sys.stderr, flush=True)
        line = crash.report()
    reply = service.post(turn, line)
    what = reply.get("failure") or reply.get("say", reply.get("code"))
    print(*place(turn), what, reply.get("message", ""), flush=True)


def step(service, bots, make):
    """Answer all turns that are open; the seconds until it is worth to ask again."""
    page = service.turns()
    if not all(place(t) in bots or t["messages"][0]["type"] == "hello" for t in page["turns"]):
        page = service.turns("?whole=1")  # as to a bot just begun
    for turn in page["turns"]:
        answer(service, bots, make, turn)
    for turn in page["ended"]:
        if place(turn) in bots:
            with contextlib.suppress(CrashError):  # the match is over
                say(bots, make, turn)
            leave(bots, turn)
    for match, part, seat in list(bots):
        if match not in page["matches"]:  # drawn again, say
            leave(bots, {"match": match, "part": part, "seat": seat})
    return page["poll_after"]


def play(service, make):
    """Play until stopped; raises RefusedError."""
    bots = {}
    while True:
        try:
            time.sleep(step(service, bots, make))
        except OSError as error:
            print(f"the service does not answer: {error}", file=sys.stderr)
            time.sleep(LATER)


def main(words, token):
    """Play with a program; a sentence for the exit."""
    if len(words) < 3:
        return USAGE
    site, bot, *program = words
    if not token:
        return f"BAZA_TOKEN is not set. {USAGE}"
    if not (token.isascii() and token.isprintable()):
        return "BAZA_TOKEN: this is no token"
    if not site.startswith(("http://", "https://")):
        return f"{site}: the address of a service begins with http:// or https://"
    if shutil.which(program[0]) is None:
        return f"{program[0]}: there is no such program"
    try:
        return play(Service(site, bot, token), lambda: Program(program))
    except RefusedError as refusal:
        return str(refusal)
    except KeyboardInterrupt:
        return "stopped"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ.get("BAZA_TOKEN", "")))
