"""How fast netsim is, beside peers in the same run."""
