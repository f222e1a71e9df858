"""How dates are written, where Django's own way does not fit a club in Spain."""
