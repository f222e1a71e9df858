"""What each answer looks like: the public names, told apart from those of the queries behind them.

A field may be added at any time; none is renamed or taken away while the address says `v1`.
"""
