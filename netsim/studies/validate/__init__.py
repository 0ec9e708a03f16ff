"""Closed forms, the least possible and the simulator side by side."""
