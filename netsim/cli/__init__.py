"""The commands. Nothing heavy is imported when they start."""
