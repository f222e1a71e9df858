"""Rounds of bots: scheduled, played on workers, compared."""
