#!/usr/bin/env python3
"""Lets a bot play from here: fetches its turns over the API, and posts what it answers.

The bot is any program that speaks baza-bot/1; one is started for every seat of every match:

  BAZA_TOKEN=baza_… over_the_api.py http://127.0.0.1:8000 my-bot python3 first_steps.py
A bot in Python needs no program: give `play` what makes something with `answer` and `close`.
"""

import http.client
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

PATIENCE = 30  # seconds for one request
LATER = 5  # seconds until the next, when it was not answered


class Service:
    """The turns of one bot at a service."""

    def __init__(self, site, bot, token):
        self.address = f"{site.rstrip('/')}/api/v1/bots/{bot}/turns/"
        self.token = token

    def post(self, turn, line):
        """Answer a turn. Sent again when the answer is lost: the same line counts once."""
        while True:
            try:
                try:
                    return self.call(f"{self.address}{turn['id']}/", json.dumps(line).encode())
                except urllib.error.HTTPError as error:
                    if error.code < 500 and error.code != 429:
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
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True)

    def answer(self, message):
        """Give it a message; return its line, where the message asks for one."""
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        asks = message["type"] in ("hello", "ask")
        return json.loads(self.process.stdout.readline()) if asks else None

    def close(self):
        """Let it end."""
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def place(turn):
    """Which conversation a turn belongs to."""
    return turn["match"], turn["part"], turn["seat"]


def leave(bots, turn):
    """Let go the bot of a conversation, if there is one."""
    if place(turn) in bots:
        bots.pop(place(turn)).close()


def say(bots, make, turn):
    """Hand the messages of a turn to their bot, begun again by each hello; its last answer."""
    line = None
    for message in turn["messages"]:
        if message["type"] == "hello":
            leave(bots, turn)
            bots[place(turn)] = make()
        line = bots[place(turn)].answer(message)
    return line


def step(service, bots, make):
    """Answer all turns that are open; the seconds until it is worth to ask again."""
    page = service.call(service.address)
    if not all(place(t) in bots or t["messages"][0]["type"] == "hello" for t in page["turns"]):
        page = service.call(service.address + "?whole=1")  # as to a bot just begun
    for turn in page["turns"]:
        reply = service.post(turn, say(bots, make, turn))
        print(
            *place(turn), reply.get("say", reply.get("code")), reply.get("message", ""), flush=True
        )
    for turn in page["ended"]:
        if place(turn) in bots:
            say(bots, make, turn)
            leave(bots, turn)
    for match, part, seat in list(bots):
        if match not in page["matches"]:  # drawn again, say
            leave(bots, {"match": match, "part": part, "seat": seat})
    return page["poll_after"]


def play(service, make):
    """Play until stopped."""
    bots = {}
    while True:
        try:
            time.sleep(step(service, bots, make))
        except OSError as error:
            print(f"the service does not answer: {error}", file=sys.stderr)
            time.sleep(LATER)


if __name__ == "__main__":
    site, bot, *words = sys.argv[1:]
    play(Service(site, bot, os.environ["BAZA_TOKEN"]), lambda: Program(words))
