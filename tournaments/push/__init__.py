"""Messages to browsers of players and visitors, also while they are closed (Web Push)."""
