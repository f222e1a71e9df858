"""Pages of the sign-up."""
