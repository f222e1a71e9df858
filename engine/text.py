"""Records as people type them: the text notation ``.tute`` (record format F2), read as a stream.

A record begins at its line ``[Format "baza/1"]``. The reader holds one record at a time and the
tags of the one before it, from which ``"#"`` inherits. It knows no rule of the game: cards, tokens
and statements are judged where those of JSON are, by :mod:`engine.notation` and the replay. The
grammar is in ``docs/spec/tute.md``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final, NamedTuple, Protocol

from engine.cards import SEATS
from engine.notation import MAX_BYTES, MAX_HANDS, MAX_TEXT, MAX_TOKENS
from engine.text_lines import READ_LINE, READ_TAG, Hand, Mark, Place, check_single_word, path_of
from engine.text_words import UNPRINTABLE, Tag, TextError, Word, WordError, tag_of, words_of

MAX_ERRORS: Final = 100
"""Errors reported for one record."""

_OPENING: Final = re.compile(r"\s*\[\s*[Ff]ormat(?![\w-])")


class Source(Protocol):
    """The interface of a stream: it gives lines, as bytes or text, none longer than asked for."""

    def readline(self, limit: int, /) -> bytes | str:
        """The next line, or as much of it."""


class Comment(NamedTuple):
    """A comment above a line, or at its end; ``anchor`` is the path of that line."""

    above: bool
    anchor: str
    text: str


@dataclass(slots=True)
class TextRecord:
    """A record that was read from text.

    ``document`` is what its JSON form says; where only the head was read it has no ``hands``.
    ``number`` counts the records of the stream from 1, ``line`` is that of its first tag.
    ``places`` has line and column of everything by its path, ``tokens`` those of each hand's play.
    """

    number: int
    line: int
    document: dict[str, Any]
    comments: list[Comment] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    tokens: list[list[Place]] = field(default_factory=list)
    marks: list[list[Mark]] = field(default_factory=list)

    def place(self, path: str, hand: int | None = None, token: int | None = None) -> Place:
        """Line and column of what a fault is about, or of the nearest thing around it."""
        if hand is not None and token is not None and self.tokens[hand - 1]:
            token_places = self.tokens[hand - 1]
            return token_places[min(token, len(token_places) - 1)]
        path = path.replace("~1", "/").replace("~0", "~")  # places have names as they are written
        while path and path not in self.places:
            path = path.rpartition("/")[0]
        return self.places.get(path) or self.places.get("/format") or (self.line, 1)


class _Line(NamedTuple):
    number: int
    text: str
    size: int
    problem: str | None = None


class _Lines:
    """The lines of a stream, each no longer than a record may be."""

    def __init__(self, source: Source, number: int) -> None:
        self.source = source
        self.number = number

    def next(self) -> _Line | None:
        raw = self.source.readline(MAX_BYTES + 1)
        if not raw:
            return None
        self.number += 1
        size, problem = len(raw), None
        if size > MAX_BYTES:
            problem = "too_large"
            while raw and raw[-1:] not in ("\n", b"\n"):
                raw = self.source.readline(MAX_BYTES + 1)
            raw = raw[:0]
        text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
        if isinstance(raw, bytes) and "\ufffd" in text:
            problem = problem or _encoding_fault(raw)
        elif self.number == 1 and text.startswith("\ufeff"):
            problem = "bad_encoding"
        return _Line(self.number, text.lstrip("\ufeff").rstrip("\r\n"), size, problem)


def _encoding_fault(raw: bytes) -> str | None:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return "bad_encoding"
    return None


class TextReader:
    """Reads the records of a stream one after the other, in memory that does not grow.

    After a :class:`~engine.text_words.TextError` it goes on with the next record. ``above`` is the
    number of lines that were read before.
    """

    def __init__(self, source: Source, above: int = 0) -> None:
        self._lines = _Lines(source, above)
        self._opening: _Line | None = None
        self._head: dict[str, str] = {}
        self._above: list[_Line] = []
        self._room = MAX_BYTES
        self._apart = 0
        """How many of the comments above have a blank line below them."""
        self.number = 0

    def __iter__(self) -> "TextReader":
        return self

    def __next__(self) -> TextRecord:
        record = self.read()
        if record is None:
            raise StopIteration
        return record

    def read(self) -> TextRecord | None:
        """The next record, ``None`` after the last."""
        draft = self._draft(whole=True)
        return None if draft is None else draft.finish()

    def read_head(self) -> TextRecord | None:
        """The next record without its hands, which are skipped."""
        draft = self._draft(whole=False)
        return None if draft is None else draft.finish()

    def skip(self) -> bool:
        """Skips the next record, valid or not; false if there was none."""
        return self._draft(whole=False) is not None

    def _draft(self, whole: bool) -> "_Draft | None":
        draft: _Draft | None = None
        while (line := self._opening or self._lines.next()) is not None:
            self._opening = None
            if line.text.lstrip()[:1] in ("", ";") and line.problem is None:
                self._store_comment_line(line)
                continue
            if draft is not None and _OPENING.match(line.text):
                self._opening = line
                break
            if draft is None:
                self.number += 1
                draft = _Draft(self.number, line.number, self._head, whole)
            draft.add_line(line, self._above)
            self._above, self._apart, self._room = [], 0, MAX_BYTES
        if draft is not None:
            comment_count = len(self._above) if self._opening is None else self._apart
            draft.comment(self._above[:comment_count], "/end")
            self._above, self._apart = self._above[comment_count:], 0
            self._head = draft.head
        return draft

    def _store_comment_line(self, line: _Line) -> None:
        """A line that is blank or all comment; of too many only the first too many are kept."""
        if not line.text.strip():
            self._apart = len(self._above)
        elif self._room > 0:
            self._room -= line.size
            self._above.append(line)


class _Draft:
    """A record being read, line by line; what is wrong is noted, and reading goes on."""

    def __init__(self, number: int, line: int, before: Mapping[str, str], whole: bool) -> None:
        self.record = TextRecord(number, line, {})
        self.before = before
        self.whole = whole
        self.head: dict[str, str] = {}
        self.values: dict[str, Any] = {}
        self.hands: list[Hand] = []
        self.errors: list[TextError] = []
        self.size = 0
        self.in_hands = False
        self.has_broken_line = False
        """A line of the hand could not be read: it may have been the dealer of another one."""

    # --- lines -----------------------------------------------------------------------------------

    def add_line(self, line: _Line, comment_lines: list[_Line]) -> None:
        """Stores the content of a line, and the comments above it."""
        is_tag = line.text.lstrip().startswith("[")
        self.in_hands = self.in_hands or not is_tag
        if not self.whole and self.in_hands:
            return
        if not self._has_room(line):
            return
        try:
            _refuse_broken(line)
            anchor, comment = self._tag(line) if is_tag else self._hand_line(line)
        except WordError as error:
            self.head.setdefault("/format", "")  # a missing tag is reported once
            if error.reason != "twice" or not self.has_broken_line:
                self._fail(line, error.reason, error.column, **error.facts)
            if self.in_hands:
                self.has_broken_line |= error.reason != "twice"
                self.hands = self.hands or [Hand(line.number)]  # a lost dealer is reported once
            anchor, comment = "/end", None
        self.comment(comment_lines, anchor)
        if comment is not None:
            self._comment(line, comment, anchor, above=False)

    def comment(self, lines: list[_Line], anchor: str) -> None:
        """Comments on lines of their own, above the line of ``anchor``."""
        if not self.whole:
            return
        for line in lines:
            if self._has_room(line):
                try:
                    _refuse_broken(line)
                except WordError as error:
                    self._fail(line, error.reason, error.column)
                self._comment(line, line.text.strip()[1:].strip(), anchor, above=True)

    def _comment(self, line: _Line, text: str, anchor: str, above: bool) -> None:
        if len(text) > MAX_TEXT:
            self._fail(line, "too_large", 1, what="characters", limit=MAX_TEXT)
        elif text or above:
            self.record.comments.append(Comment(above, anchor, text))

    def _has_room(self, line: _Line) -> bool:
        """Whether the record, with this line, is still no larger than a record may be."""
        before, self.size = self.size, self.size + line.size
        if self.size <= MAX_BYTES:
            return True
        if before <= MAX_BYTES:
            self._fail(line, "too_large", 1, what="bytes", limit=MAX_BYTES)
        return False

    def _fail(self, line: _Line, reason: str, column: int, **facts: Any) -> None:
        if len(self.errors) < MAX_ERRORS:
            self.errors.append(TextError(reason, line.number, column, line.text, **facts))

    # --- tags ------------------------------------------------------------------------------------

    def _tag(self, line: _Line) -> tuple[str, str | None]:
        tag = tag_of(line.text)
        path = path_of(tag.name)
        if not self.head and path != "/format":
            raise WordError("no_format", 1)
        if self.in_hands:
            raise WordError("late_tag", 1)
        if path in self.record.places:
            raise WordError("twice", tag.name.column, found=tag.name.text)
        self.record.places[path] = line.number, tag.value.column
        self.head[path] = self._value(tag, path)
        read = READ_TAG.get(path)
        value = self.head[path]
        self.values[path] = value if read is None else read(value, tag.value.column + 1)
        return path, tag.comment

    def _value(self, tag: Tag, path: str) -> str:
        if not tag.inherits:
            return tag.value.text
        if path == "/format" or path not in self.before:
            raise WordError("nothing_to_inherit", tag.value.column)
        return self.before[path]

    # --- hands -----------------------------------------------------------------------------------

    def _hand_line(self, line: _Line) -> tuple[str, str | None]:
        words, comment = words_of(line.text)
        if not self.head:
            raise WordError("no_format", 1)
        first = words[0]
        read = None if first.quoted else READ_LINE.get(first.text)
        if read is None and not (first.quoted or len(first.text) == 2 or ":" in first.text):
            raise WordError("unknown_line", first.column, found=first.text[:60])
        if not first.quoted and first.text == "dealer":
            self._refuse_many_hands()
            self.hands.append(Hand(line.number))
            self.has_broken_line = False
        elif not self.hands:
            raise WordError("no_dealer", first.column)
        hand, path = self.hands[-1], f"/hands/{len(self.hands) - 1}"
        self.record.places.setdefault(path, (line.number, first.column))
        if read is None:
            return self._play(line, hand, path, words), comment
        name, value = read(hand, words)
        place = line.number, words[min(1, len(words) - 1)].column
        self.record.places[f"{path}/{name}"] = place
        if name.startswith("deal/"):
            self.record.places.setdefault(f"{path}/deal", place)
        else:
            hand.fields[name] = value
        return f"{path}/{name}", comment

    def _play(self, line: _Line, hand: Hand, path: str, words: list[Word]) -> str:
        if "play" in hand.fields:
            raise WordError("play_and_none", words[0].column)
        if len(hand.play) > MAX_TOKENS:
            return f"{path}/play/{MAX_TOKENS}"  # reported already
        first, mark = len(hand.play), None
        for word in words:
            if not word.quoted and len(word.text) == 2 and word.text[1] == ":":
                if mark is not None:
                    raise WordError("empty_trick", mark.column)
                mark = word
                continue
            check_single_word(word)
            if mark is not None and ":" not in word.text:
                hand.marks.append(Mark(len(hand.play), mark.text[0], line.number, mark.column))
                mark = None
            hand.play.append(word.text)
            hand.tokens.append((line.number, word.column))
            if len(hand.play) > MAX_TOKENS:
                raise WordError("too_large", word.column, what="tokens", limit=MAX_TOKENS)
        if mark is not None:
            raise WordError("empty_trick", mark.column)
        return f"{path}/play/{first}"

    def _refuse_many_hands(self) -> None:
        """Refuses a record with too many hands before anything of it is read."""
        if len(self.hands) == MAX_HANDS:
            self.size = MAX_BYTES + 1
            raise WordError("too_large", 1, what="hands", limit=MAX_HANDS)

    # --- the end ---------------------------------------------------------------------------------

    def finish(self) -> TextRecord:
        """The record; raises :class:`TextError` if anything was wrong with it."""
        record, values = self.record, self.values
        seats = [path for path in values if path.startswith("/seats/")]
        for path in seats:
            if int(path[-1]) >= len(seats):
                line, column = record.places[path]
                text = f'[{SEATS[int(path[-1])]} "{values[path]}"]'
                self.errors.append(TextError("seat_gap", line, min(column, 4), text))
        if self.errors:
            self.errors.sort(key=lambda error: (error.line, error.column))
            self.errors[0].also = tuple(self.errors[1:])
            raise self.errors[0]
        document = {"format": values.get("/format")}
        if "/ruleset" in values:
            document["ruleset"] = values["/ruleset"]
        document["options"] = values.get("/options", {})
        document["seats"] = [values[path] for path in sorted(seats)]
        document["tags"] = {
            path[len("/tags/") :]: value
            for path, value in values.items()
            if path.startswith("/tags/")
        }
        if self.whole:
            document["hands"] = [hand.document() for hand in self.hands]
            record.tokens = [hand.tokens for hand in self.hands]
            record.marks = [hand.marks for hand in self.hands]
        for path in ("/score", "/winner"):
            if path in values:
                document[path[1:]] = values[path]
        record.document = document
        return record


def _refuse_broken(line: _Line) -> None:
    if line.problem is not None:
        raise WordError(line.problem, 1)
    if not line.text.isprintable() and (match := UNPRINTABLE.search(line.text)):
        raise WordError("bad_character", match.start() + 1)


# --- doors ---------------------------------------------------------------------------------------


def iter_text(source: Source, heads_only: bool = False) -> Iterator[TextRecord]:
    """The records of a stream, one at a time; ``heads_only`` leaves out their hands.

    Raises :class:`TextError` at the first record that cannot be read. A
    :class:`TextReader` goes on after it, and can skip.
    """
    reader = TextReader(source)
    while (record := reader.read_head() if heads_only else reader.read()) is not None:
        yield record


def parse_text(source: str | bytes) -> TextRecord:
    """The one record that a text writes; raises :class:`TextError`."""
    raw = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    reader = TextReader(BytesIO(raw))
    record = reader.read()
    if record is None:
        raise TextError("no_record", 1, 1, "")
    if reader.skip():
        raise TextError("many_records", record.line, 1, "")
    return record
