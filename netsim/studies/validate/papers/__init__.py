"""The papers' figures, computed and simulated."""
