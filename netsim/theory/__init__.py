"""Closed forms: distribution time and communication volume."""
