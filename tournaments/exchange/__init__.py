"""Files of tournaments: export, import, proof, FIDE reports, audit trail."""
