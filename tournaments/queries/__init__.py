"""What pages and endpoints read: frozen rows out, nothing lazy in them, nothing written.

Every query takes the ``viewer`` and raises the refusal NOT_FOUND for what is not there, and in the
same way for what he may not see.
"""
