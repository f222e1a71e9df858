"""Printing: queries."""
