"""What bounds say that an observer learns, beside what observers in the simulation received."""
