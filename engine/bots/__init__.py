"""Players that are programs: the contract, the house bots and the table they play at."""
