"""Services of clubs, their members and players, and of bots and their programs."""
