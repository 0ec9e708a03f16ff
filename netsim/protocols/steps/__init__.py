"""What clients do to an update before it is coded and sent, one step a file."""
