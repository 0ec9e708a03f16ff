"""Where a dithered quantiser's error is uniform, and how large its cells are."""
