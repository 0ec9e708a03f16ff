"""Other simulators on the same jobs."""
