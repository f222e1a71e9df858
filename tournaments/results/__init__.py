"""Records, results, disputes and leases."""
