"""The shapes of requests and answers: public names, apart from those of the queries behind them.

A field may be added at any time; none is renamed or taken away while the address says `v1`.
"""
