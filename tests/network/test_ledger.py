"""Sizes that depend on values, kept and given again."""

from dataclasses import dataclass

import numpy as np
import pytest

from netsim.network.ledger import UNKNOWN, Diverged, Ledger

RECEIVERS = np.array([4, 2, 7])


@dataclass
class Parcel:
    """A payload of so many bits; ``measured`` says that they depend on values."""

    payload_bits: int
    wire_bits: int
    measured: bool = True


ABSENT = Parcel(UNKNOWN, UNKNOWN)


def sizes(ledger, payloads, receivers=RECEIVERS, kind="update", round=3):
    """As two lists, or None."""
    found = ledger.sizes(payloads, 5, receivers, kind, round)
    return found and [bits.tolist() for bits in found]


def test_fixed_sizes_are_not_kept():
    """They follow from the protocol."""
    ledger = Ledger()
    assert sizes(ledger, Parcel(1, 2, measured=False)) is None
    assert sizes(ledger, [Parcel(1, 2, measured=False)] * 3) is None
    assert ledger.entries == []


def test_what_was_kept_is_known_without_values():
    """One payload for all and one for each, several times from one sender; fixed ones between."""
    ledger = Ledger()
    each = [Parcel(1, 11), Parcel(2, 12, measured=False), Parcel(3, 13)]
    told = [sizes(ledger, Parcel(8, 9)), sizes(ledger, each), sizes(ledger, Parcel(5, 6), kind="x")]
    assert told == [[[8] * 3, [9] * 3], [[1, 2, 3], [11, 12, 13]], [[5] * 3, [6] * 3]]
    again = Ledger(ledger.entries)
    absent = [ABSENT, each[1], ABSENT]
    assert [sizes(again, ABSENT), sizes(again, absent), sizes(again, ABSENT, kind="x")] == told
    assert len(again.entries) == 3


def test_after_what_is_known_it_goes_on():
    """A resumed run keeps what is new."""
    ledger = Ledger()
    sizes(ledger, Parcel(8, 9))
    again = Ledger(ledger.entries)
    sizes(again, ABSENT)
    assert sizes(again, Parcel(1, 2), round=4) == [[1] * 3, [2] * 3]
    assert [entry.round for entry in again.entries] == [3, 4]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"payloads": ABSENT, "round": 4}, "the size of 'update' in round 4 is not on record"),
        ({"payloads": ABSENT, "kind": "other"}, "the size of 'other' in round 3 is not on record"),
        ({"payloads": ABSENT, "receivers": np.array([4, 2])}, "not what is on record"),
        ({"payloads": ABSENT, "receivers": np.array([4, 2, 8])}, "not what is on record"),
        ({"payloads": Parcel(8, 10)}, "not what is on record"),
    ],
    ids=["round", "kind", "fewer", "another", "size"],
)
def test_what_is_not_on_record_diverges(given, text):
    """At once: other rounds, kinds, receivers, and sizes where there are values."""
    ledger = Ledger()
    sizes(ledger, Parcel(8, 9))
    with pytest.raises(Diverged, match=text):
        sizes(Ledger(ledger.entries), **given)


def test_a_second_sending_is_not_the_first():
    """Only one is on record."""
    ledger = Ledger()
    sizes(ledger, Parcel(8, 9))
    again = Ledger(ledger.entries)
    sizes(again, ABSENT)
    with pytest.raises(Diverged, match="not on record"):
        sizes(again, ABSENT)
