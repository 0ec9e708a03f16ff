"""What can go wrong with a result folder, told to the user."""

import errno
from pathlib import Path
from typing import Final

FULL: Final = (errno.ENOSPC, errno.EDQUOT)


class ResultsError(ValueError):
    """A result folder cannot be written or read; the message says why, in one line."""


def check_folder(folder: Path) -> None:
    """Raises ResultsError if there is no such folder."""
    if folder.is_file():
        raise ResultsError(f"{folder} is a file; write the folder of a result or a study (--out)")
    if not folder.is_dir():
        raise ResultsError(f"{folder}: no such folder")


def unwritable(path: Path, error: OSError) -> ResultsError:
    """The line on a failure of the file system; a full disk is told apart."""
    if error.errno in FULL:
        return ResultsError(f"cannot write {path}: the disk is full; free some space and run again")
    return ResultsError(f"cannot write {path}: {error.strerror or error}")
