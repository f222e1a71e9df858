"""Pure functions on frozen rows: formats, standings, ratings, files; no Django, clock or chance."""
