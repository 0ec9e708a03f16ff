"""Nodes, links, fair rates and transfers."""
