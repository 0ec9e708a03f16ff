"""How concurrent transfers share the links: max-min fair, one at a time, or optimal."""
