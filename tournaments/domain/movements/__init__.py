"""Movements: who sits where when partners or opponents change every round."""
