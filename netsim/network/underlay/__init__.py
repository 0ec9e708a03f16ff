"""Underlays: routers and links between the nodes' access links."""
