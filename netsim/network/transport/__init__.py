"""What a transfer adds to bare bits on links: nothing, or the effects of TCP."""
