"""What can be done: one function a verb, the only code that changes rows.

Each checks the right, checks the rule, changes rows, writes the event and posts the job, visibly
and in that order, in one transaction. Locks are taken in one order everywhere: club, tournament,
round, match, and the club's event counter last.
"""
