"""Who sends what to whom: one file a protocol."""
