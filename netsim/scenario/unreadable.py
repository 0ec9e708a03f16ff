"""Why a file that a scenario names cannot be read."""

from pathlib import Path


def unreadable(path: Path, error: OSError) -> str:
    """In words; of a relative path to nothing it says where the path starts."""
    lost = isinstance(error, FileNotFoundError) and not path.is_absolute()
    start = f"; a relative path starts at the working directory, {Path.cwd()}" if lost else ""
    return f"cannot be read: {error.strerror or error}{start}"
