"""What a scenario sets up before it runs: who holds which samples."""
