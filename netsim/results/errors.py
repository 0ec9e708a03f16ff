"""What can go wrong with a result folder, told to the user."""


class ResultsError(ValueError):
    """A result folder cannot be written or read; the message says why, in one line."""
