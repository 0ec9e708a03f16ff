"""Compressors: how a vector becomes messages to the owners of its shards, and comes back."""
