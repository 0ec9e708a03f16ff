"""References move to a coordinate's new owner when masks are redrawn."""

import numpy as np

from netsim.kernel.streams import Streams
from netsim.wire.header import HEADER_BITS
from netsim.wire.shards import RandomShards

ERIS = {
    "kind": "eris",
    "masks": "random",
    "redraw": True,
    "aggregators": 3,
    "compression": {"kind": "rand_k", "keep": 1, "gamma": 0.5},
}
SIZE = 300


def owners(round):
    """The shard of each coordinate in a round."""
    return RandomShards(SIZE, 3, Streams(7).rng("partition", round)).owner_of()


def handovers(run, round):
    """(sender, receiver) → payload bits."""
    t = run.transfers
    names = [kind.name for kind in t.kinds]
    rows = np.flatnonzero((t.round == round) & (t.kind == names.index("handover")))
    return {(int(t.sender[r]), int(t.receiver[r])): int(t.payload_bits[r]) for r in rows}


def test_each_pair_of_owners_hands_over_what_changes_hands(play, toy):
    """32 bits a coordinate and a header, charged; nothing in the first round."""
    run = play(ERIS, toy(4, SIZE), 3)
    assert handovers(run, 0) == {}
    for round in (1, 2):
        before, after = owners(round - 1), owners(round)
        moved = {
            (a, b): 32 * int(np.sum((before == a) & (after == b)))
            for a in range(3)
            for b in range(3)
            if a != b
        }
        assert handovers(run, round) == moved
    kind = [each.name for each in run.transfers.kinds].index("handover")
    rows = run.transfers.kind == kind
    assert (run.transfers.wire_bits[rows] == run.transfers.payload_bits[rows] + HEADER_BITS).all()
    assert (run.transfers.sent_bits[rows] == run.transfers.carried_bits[rows]).all()


def test_masks_that_stay_hand_nothing_over(play, toy):
    """Nor do redrawn ones without references."""
    for settings in ({"redraw": False}, {"compression": None}):
        run = play(ERIS | settings, toy(4, SIZE), 3)
        assert "handover" not in [kind.name for kind in run.transfers.kinds]


def test_an_owner_that_misses_references_leaves_its_part_for_the_round(play, toy, those):
    """Shard 1 of round 1 stays as it was; the others step."""
    trouble = those("handover", round=1, sender=0, receiver=1)
    run = play(ERIS, toy(4, SIZE), 3, trouble=trouble)
    before, after = run.models[0][0], run.models[1][0]
    assert np.array_equal(np.flatnonzero(before == after), np.flatnonzero(owners(1) == 1))


def test_what_failed_to_move_is_handed_over_by_its_holder_in_the_next_round(play, toy, those):
    """What stayed with aggregator 0 goes from there to its owner of round 2."""
    trouble = those("handover", round=1, sender=0, receiver=1)
    run = play(ERIS, toy(4, SIZE), 3, trouble=trouble)
    holder = owners(1)
    holder[(owners(0) == 0) & (owners(1) == 1)] = 0
    assert handovers(run, 2)[0, 2] == 32 * int(np.sum((holder == 0) & (owners(2) == 2)))
    assert handovers(run, 2)[1, 2] == 32 * int(np.sum((holder == 1) & (owners(2) == 2)))
