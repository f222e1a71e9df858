"""The export form of the text notation: one way to write a record, byte for byte (F2).

Comments, for which JSON has no place, travel there as tags named after the line they stand at:
``"; above /hands/0/play/8"``, ``"; after /hands/0/winner"``; ``"; above 2 …"`` goes on where a text
may not be longer.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final, NamedTuple

from engine.cards import CARDS, SEATS, SUIT_MASKS
from engine.errors import RecordError
from engine.notation import MAX_TEXT, HandRecord, Record, parse_record
from engine.rules import winning_card
from engine.rulesets import Ruleset
from engine.text import Comment, TextRecord
from engine.text_lines import INHERIT, NO_PLAY, NULL, RESERVED
from engine.text_words import UNPRINTABLE, quote, word

UNKNOWN: Final = -1
"""The leader of a trick that is not known: trumps are not known."""

_COMMENT_TAG: Final = re.compile("; (above|after) (?:[0-9]+ )?(/.*)", re.DOTALL)
_BARE_NAME: Final = re.compile("[a-z][A-Za-z0-9_-]*")
_HAND_TEXTS: Final = ("points", "winner", "payments")


class _Line(NamedTuple):
    anchor: str
    text: str
    apart: bool = False
    """Whether a blank line precedes it."""


def write_text(document: Mapping[str, Any]) -> str:
    """The export form of a record that JSON writes.

    Raises :class:`~engine.errors.RecordError` for what is not a record (``record.*``).
    """
    record = parse_record(document)
    lines, comments = list(_lines(record, document)), []
    tags = {name: text for name, text in record.tags.items() if _COMMENT_TAG.fullmatch(name)}
    if tags:
        other_tags = {name: text for name, text in record.tags.items() if name not in tags}
        bare_lines = list(_lines(record, {**document, "tags": other_tags}))
        comments = _comments_in(tags, bare_lines)
        lines = bare_lines if comments else lines
    return _join(lines, comments)


def document_with_comments(record: TextRecord) -> dict[str, Any]:
    """The JSON form of a record that was read from text, its comments folded into the tags."""
    document = record.document
    if not record.comments:
        return document
    try:
        lines = list(_lines(parse_record(document), document))
    except RecordError:  # no export form to name lines of: they stay where they were
        anchors = {comment.anchor: n for n, comment in enumerate(record.comments)}
        lines = [_Line(anchor, "") for anchor in sorted(anchors, key=lambda name: anchors[name])]
    folded = _fold_comments(_move_comments(record.comments, lines), lines)
    return {**document, "tags": {**document["tags"], **folded}}


def trick_leaders(
    rules: Ruleset, dealer: str, trump: str | None, tokens: list[str]
) -> dict[int, int]:
    """The tokens that lead a trick, and the seat that leads it (R2.3, R4.7).

    The rules of play are not checked: a trick ends when each player has played a card.
    """
    players = rules.players(SEATS.index(dealer))
    leader = next((seat for seat in players if seat > SEATS.index(dealer)), players[0])
    trumps = SUIT_MASKS[CARDS[trump] // 10] if trump in CARDS else None
    leaders: dict[int, int] = {}
    table: tuple[int, ...] = ()
    for index, token in enumerate(tokens):
        card = CARDS.get(token)
        if card is None:
            continue
        if not table:
            leaders[index] = leader
        table = (*table, card)
        if len(table) == len(players):
            if trumps is None or leader == UNKNOWN:
                leader = UNKNOWN
            else:
                seat_index = players.index(leader) + table.index(winning_card(table, trumps))
                leader = players[seat_index % len(players)]
            table = ()
    return leaders


# --- lines ---------------------------------------------------------------------------------------


def _lines(record: Record, document: Mapping[str, Any]) -> Iterator[_Line]:
    yield _tag("/format", "Format", document["format"])
    yield _tag("/ruleset", "Ruleset", document["ruleset"])
    if record.options:
        options = " ".join(f"{name}={_option(value)}" for name, value in record.options.items())
        yield _tag("/options", "Options", options)
    for seat, name in enumerate(record.seats):
        yield _tag(f"/seats/{seat}", SEATS[seat], name)
    for name, text in document.get("tags", {}).items():
        yield _tag(f"/tags/{name}", _tag_name(name), text)
    if "score" in document:
        yield _tag("/score", "Score", _numbers(record.score))
    if "winner" in document:
        yield _tag("/winner", "Winner", record.winner or NULL)
    for index, (hand, raw_hand) in enumerate(zip(record.hands, document["hands"], strict=True)):
        yield from _hand(record.ruleset, hand, raw_hand, f"/hands/{index}")


def _tag(anchor: str, name: str, text: str) -> _Line:
    value = f'"\\u{ord(INHERIT):04x}"' if text == INHERIT else quote(text)
    return _Line(anchor, f"[{name} {value}]")


def _tag_name(name: str) -> str:
    capital = name[:1].upper() + name[1:]
    return capital if _BARE_NAME.fullmatch(name) and capital not in RESERVED else quote(name)


def _option(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _numbers(numbers: Mapping[str, int] | None) -> str:
    if numbers is None:
        return NULL
    return " ".join(f"{side} {number}" for side, number in numbers.items())


def _hand(
    rules: Ruleset, hand: HandRecord, raw_hand: Mapping[str, Any], path: str
) -> Iterator[_Line]:
    yield _Line(f"{path}/dealer", f"dealer {hand.dealer}", apart=True)
    if "trump" in raw_hand:
        yield _Line(f"{path}/trump", f"trump {NULL if hand.trump is None else word(hand.trump)}")
    if hand.deal is not None:
        for seat in rules.seats:
            yield _Line(f"{path}/deal/{seat}", _cards(f"deal {seat}", hand.deal[seat]))
    elif "deal" in raw_hand:
        yield _Line(f"{path}/deal", f"deal {NULL}")
    if "stock" in raw_hand:
        stock = f"stock {NULL}" if hand.stock is None else _cards("stock", hand.stock)
        yield _Line(f"{path}/stock", stock)
    if hand.play is None:
        yield _Line(f"{path}/play", NO_PLAY)
    else:
        yield from _tricks(rules, hand, hand.play.split(), f"{path}/play")
    for name in _HAND_TEXTS:
        if name in raw_hand:
            value = getattr(hand, name)
            text = value or NULL if name == "winner" else _numbers(value)
            yield _Line(f"{path}/{name}", f"{name} {text}")


def _cards(name: str, cards: str) -> str:
    return " ".join([name, *map(word, cards.split())])


def _tricks(rules: Ruleset, hand: HandRecord, tokens: list[str], path: str) -> Iterator[_Line]:
    """A line a trick, with its leader; what happens between two tricks has a line of its own."""
    leaders = trick_leaders(rules, hand.dealer, hand.trump, tokens)
    words: list[str] = []
    first = cards = 0
    for index, token in enumerate(tokens):
        if index in leaders:
            if words:
                yield _Line(f"{path}/{first}", " ".join(words))
            leader = leaders[index]
            words, first = [] if leader == UNKNOWN else [f"{SEATS[leader]}:"], index
        elif not words:
            first = index
        words.append(word(token))
        cards += token in CARDS
        if token in CARDS and cards % rules.player_count == 0:
            yield _Line(f"{path}/{first}", " ".join(words))
            words = []
    if words:
        yield _Line(f"{path}/{first}", " ".join(words))


# --- comments ------------------------------------------------------------------------------------


def _join(lines: list[_Line], comments: list[Comment]) -> str:
    comments_above: dict[str, list[str]] = {}
    after: dict[str, str] = {}
    for comment in comments:
        if comment.above:
            comments_above.setdefault(comment.anchor, []).append(f"; {comment.text}".rstrip())
        else:
            after[comment.anchor] = f" ; {comment.text}"
    output = []
    for line in lines:
        if line.apart:
            output.append("")
        output += comments_above.get(line.anchor, [])
        output.append(line.text + after.get(line.anchor, ""))
    return "\n".join([*output, *comments_above.get("/end", []), ""])


def _move_comments(comments: list[Comment], lines: list[_Line]) -> list[Comment]:
    """The comments at lines of the export form; several after the same line become one."""
    anchors = {line.anchor for line in lines} | {"/end"}
    tricks: dict[str, list[int]] = {}
    for line in lines:
        path, _slash, token = line.anchor.rpartition("/")
        if path.startswith("/hands/") and path.endswith("/play"):
            tricks.setdefault(path, []).append(int(token))
    result: list[Comment] = []
    trailing: dict[str, int] = {}
    for comment in comments:
        anchor = comment.anchor
        path, _slash, token = anchor.rpartition("/")
        if anchor not in anchors and path in tricks:
            index = bisect_right(tricks[path], int(token)) - 1
            anchor = f"{path}/{tricks[path][index]}"
        if anchor not in anchors:
            anchor = "/end"
        is_above, text = comment.above or anchor == "/end", comment.text
        if not is_above and anchor in trailing:
            joined = f"{result[trailing[anchor]].text}; {text}"
            if len(joined) <= MAX_TEXT:
                result[trailing[anchor]] = Comment(above=False, anchor=anchor, text=joined)
                continue
            is_above = True
        elif not is_above:
            trailing[anchor] = len(result)
        result.append(Comment(is_above, anchor, text))
    return result


def _fold_comments(comments: list[Comment], lines: list[_Line]) -> dict[str, str]:
    """The comments as tags, in the order of the lines; long ones in parts."""
    order = {line.anchor: n for n, line in enumerate(lines)}
    order["/end"] = len(lines)

    def place(comment: Comment) -> tuple[int, bool]:
        return order[comment.anchor], not comment.above

    tags: dict[str, str] = {}
    for (_at, after), group in groupby(sorted(comments, key=place), key=place):
        members = list(group)
        kind, anchor = "after" if after else "above", members[0].anchor
        for part, text in enumerate(_join_to_limit([comment.text for comment in members]), 1):
            tags[f"; {kind} {anchor}" if part == 1 else f"; {kind} {part} {anchor}"] = text
    return tags


def _join_to_limit(texts: list[str]) -> Iterator[str]:
    """Lines joined, as many as one text may hold."""
    part = texts[0]
    for text in texts[1:]:
        if len(part) + 1 + len(text) > MAX_TEXT:
            yield part
            part = text
        else:
            part = f"{part}\n{text}"
    yield part


def _comments_in(tags: Mapping[str, str], lines: list[_Line]) -> list[Comment]:
    """The comments that tags hold; none unless the tags are just what comments are folded into."""
    anchors = {line.anchor for line in lines}
    comments = []
    for name, text in tags.items():
        match = _COMMENT_TAG.fullmatch(name)
        is_above = match is not None and match[1] == "above"
        anchor = "" if match is None else match[2]
        if anchor not in anchors and not (is_above and anchor == "/end"):
            return []
        parts = text.split("\n")
        if any(part != part.strip() or UNPRINTABLE.search(part) for part in parts):
            return []
        if not is_above and (len(parts) > 1 or not text):
            return []
        comments += [Comment(is_above, anchor, part) for part in parts]
    return comments if _fold_comments(comments, lines) == tags else []
