"""``explain``: a hand of a record trick by trick, each remark with its rule."""

import argparse
from itertools import groupby, islice

from engine.cli.failure import CommandError
from engine.cli.sources import record_of, records_of
from engine.commentary import explain_hand
from engine.errors import Fault, RecordError
from engine.explanations import explain
from engine.messages import message
from engine.printable import printable_json
from engine.verdict import fault_to_dict


def print_explanation(options: argparse.Namespace) -> int:
    """Print the remarks on one hand; 0 when it ends in order, 1 when a fault stops it."""
    index = options.record - 1
    entry = (
        next(islice(records_of(options.file, options.lang), index, None), None)
        if index >= 0
        else None
    )
    if entry is None:
        raise CommandError(message(options.lang, "remarks.no_record", number=options.record))
    source, content = entry
    try:
        record = record_of(content)
    except RecordError as error:
        text = explain(error.fault, options.lang)
        raise CommandError(f"{source}: {error.fault.code}: {text}") from error
    if not 1 <= options.hand <= len(record.hands):
        total = len(record.hands)
        raise CommandError(
            message(options.lang, "remarks.no_hand", number=options.hand, total=total)
        )
    remarks = explain_hand(record, options.hand - 1)
    if not remarks:
        raise CommandError(message(options.lang, "remarks.no_play", number=options.hand))
    hand = record.hands[options.hand - 1]
    facts = {
        "source": source,
        "ruleset": record.ruleset.name,
        "hand": options.hand,
        "dealer": hand.dealer,
        "trump": hand.trump,
    }
    if options.json:
        written_remarks = [fault_to_dict(remark, options.lang) for remark in remarks]
        print(printable_json({**facts, "remarks": written_remarks}))
    else:
        print(message(options.lang, "remarks.head", **facts))
        _print_remarks(remarks, options.lang)
    return int(not remarks[-1].code.startswith("remark."))


def _print_remarks(remarks: tuple[Fault, ...], language: str) -> None:
    for trick, of_trick in groupby(remarks, key=lambda remark: remark.trick):
        print(message(language, "remarks.trick", number=trick))
        for remark in of_trick:
            print(f"  {remark.rule:6} {explain(remark, language)}")
