"""What templates may say: cards, hands and states in words and pictures."""
