"""Tiny Shakespeare: a text to go on with, character by character."""

from functools import cache
from pathlib import Path
from typing import ClassVar, Literal, final

import numpy as np
from pydantic import Field

from netsim.learning.base import Int64
from netsim.learning.datasets.base import Data, Dataset
from netsim.learning.datasets.published import read_published
from netsim.learning.errors import Infeasible

_NAMES = ("tinyshakespeare.txt", "input.txt")
_SHA256 = "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed"
_TRAIN_SHARE = 0.9


@final
class TinyShakespeare(Dataset):
    """1,115,394 characters of Shakespeare's plays, 65 different ones.

    Samples are stretches of ``context`` characters, one after the other, with the character that
    follows each as its label; the last tenth is for testing.  The user of a stretch is who speaks
    where it begins.  Source: Karpathy 2015, The Unreasonable Effectiveness of Recurrent Neural
    Networks; by speaker as in LEAF (Caldas et al. 2018).
    """

    kind: Literal["tiny_shakespeare"] = "tiny_shakespeare"
    title: ClassVar[str] = "tiny Shakespeare, character by character"
    names: ClassVar[tuple[str, ...]] = ("tiny_shakespeare", "tinyshakespeare", "text")
    files: ClassVar[str] = "its file input.txt (or tinyshakespeare.txt)"
    context: int = Field(default=64, ge=1, le=4096)

    def is_in(self, place: Path) -> bool:
        return any((place / name).is_file() for name in _NAMES)

    def load(self, folder: Path | None = None) -> Data:
        """As in the base class."""
        return _load(self, self.locate(folder))


@cache
def _load(self: TinyShakespeare, folder: Path) -> Data:
    name = next(name for name in _NAMES if (folder / name).is_file())
    text = read_published(folder, name, _SHA256).decode()
    characters, codes = np.unique(list(text), return_inverse=True)
    cut = int(_TRAIN_SHARE * len(text))
    train, train_next = _stretches(codes[:cut], self.context)
    test, test_next = _stretches(codes[cut:], self.context)
    if len(test) == 0:
        text = f"{self.context} is more than the test part has"
        raise Infeasible(text, "task", "dataset", "context")
    users = _speakers(text[:cut])[: len(train) * self.context : self.context]
    counts = (len(characters),)
    return Data(
        *(train, train_next, test, test_next),
        classes=len(characters),
        answer="tokens",
        counts=counts,
        users=np.unique(users, return_inverse=True)[1].astype(np.int64),
    )


def _stretches(codes: Int64, context: int) -> tuple[Int64, Int64]:
    """Inputs and the characters that follow, Int64[S, context] each."""
    count = (len(codes) - 1) // context
    shape = (count, context)
    return codes[: count * context].reshape(shape), codes[1 : count * context + 1].reshape(shape)


def _speakers(text: str) -> list[str]:
    """Who speaks, for each character; speeches begin with a name and a colon, after a gap."""
    speakers: list[str] = []
    for speech in text.split("\n\n"):
        head, colon, _ = speech.partition("\n")[0].rpartition(":")
        name = head if colon else (speakers[-1] if speakers else "")
        speakers += [name] * (len(speech) + 2)
    return speakers
