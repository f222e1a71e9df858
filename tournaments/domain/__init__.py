"""What a tournament computes: pure functions on frozen rows, without Django, clock or chance."""
