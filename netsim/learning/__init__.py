"""Tasks: datasets, partitions, models, gradients."""
