"""Studies: a scenario over grids, lists and draws of its fields."""
