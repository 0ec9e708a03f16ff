"""Runs that were trained once, played again: on other networks, or up to where they stopped."""
