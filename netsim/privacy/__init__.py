"""What each observer received."""
