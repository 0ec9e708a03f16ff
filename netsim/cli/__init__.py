"""The commands. Nothing heavy is imported when they start."""

from netsim.cli.app import main

__all__ = ["main"]
