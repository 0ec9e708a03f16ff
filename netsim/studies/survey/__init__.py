"""Questions to a finished study: its table, curves, crossings, elasticities and figures."""
