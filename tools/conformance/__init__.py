"""Writes the conformance suite (`conformance/`) with the engine, from a seed.

    python -m tools.conformance [--check]

writes `conformance/cases/*.ndjson`; with ``--check`` it compares them with what it would write and
exits with 1 where they differ. Hands are dealt and played by chance; at some of their moments every
token there is gets tried, and what is refused becomes a case of its code and rule.
"""
