"""Tests of the sign-up for a tournament."""
