"""Sign-up for a tournament: requests in order of ticket, links with a quota, and the cash book."""
