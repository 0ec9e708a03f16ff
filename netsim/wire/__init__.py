"""What is sent, and its exact size."""
