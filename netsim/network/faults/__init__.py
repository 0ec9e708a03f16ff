"""What fails, when: links, nodes, aggregators, and patience."""
