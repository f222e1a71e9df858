"""Papers of a tournament as PDF."""
