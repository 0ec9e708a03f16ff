"""Rates and latencies of the nodes' access links: stated, drawn, or by class."""
