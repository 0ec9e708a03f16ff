"""Why a round took its time, in words."""

from collections.abc import Sequence

from netsim.results.explanation import COMPUTATION, TRANSFER, Bottleneck, Explanation, Piece
from netsim.results.format import percent, seconds

_MOST_PIECES = 4
"""Pieces that a sentence names."""


def round_in_words(round: int, length_s: float, why: Explanation) -> str:
    """How long the round took, what for, and which link was the bottleneck."""
    says = f"Round {round} took {seconds(length_s)}"
    if not why.path:
        return f"{says}."
    return " ".join([f"{says} ({parts(why)}): {_in_turn(why.path)}.", bottleneck_in_words(why)])


def parts(why: Explanation) -> str:
    """What the time of the path went into, in shares, largest first."""
    times = {
        "sending": why.sending_s,
        "latency": why.latency_s,
        "computing": why.computing_s,
        "waiting": why.waiting_s,
    }
    whole = sum(times.values())
    ordered = sorted(times.items(), key=lambda item: -item[1])
    return ", ".join(f"{percent(s / whole)} {what}" for what, s in ordered if s > 1e-6 * whole)


def piece_in_words(piece: Piece) -> str:
    """What happened in a piece."""
    if piece.what == TRANSFER:
        cut = "" if piece.status == "delivered" else f" ({piece.status})"
        return f"{piece.kind} from {piece.sender} to {piece.receiver}{cut}"
    if piece.what == COMPUTATION:
        return f"computation at {piece.sender}"
    again = f" to send {piece.kind} from {piece.sender} to {piece.receiver} again"
    return f"waiting{again if piece.kind else ''}"


def bottleneck_in_words(why: Explanation) -> str:
    """The bottleneck and how busy it was."""
    if why.bottleneck is None:
        return "Nothing was sent on the path."
    return f"{_busy(why.bottleneck)}."


def _busy(bottleneck: Bottleneck) -> str:
    share, time = percent(bottleneck.utilisation), seconds(bottleneck.time_s)
    return f"The {bottleneck.link} was busy {share} of the {time} in which the path used it"


def _in_turn(path: Sequence[Piece]) -> str:
    """The pieces one after the other; of many the first and the last."""
    said = [f"{piece_in_words(piece)} ({seconds(piece.length_s)})" for piece in path]
    if len(said) > _MOST_PIECES:
        half = _MOST_PIECES // 2
        said = [*said[:half], f"{len(said) - 2 * half} more steps", *said[-half:]]
    return ", then ".join(said)
