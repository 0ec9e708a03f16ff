"""Mini-batches depend on client, round and step alone."""

import numpy as np

from netsim.kernel.streams import Streams
from netsim.learning.sampling import Batches

PARTS = [np.arange(100, 140), np.array([3, 5, 8]), np.array([], np.int64)]


def test_a_batch_is_drawn_from_the_client_s_part() -> None:
    """As many as asked for, ascending, none twice."""
    batches = Batches(PARTS, 16, Streams(1))
    drawn = batches.draw(0, 2, 1)
    assert (len(drawn), batches.size) == (16, 16)
    assert (np.diff(drawn) > 0).all()
    assert set(drawn) <= set(PARTS[0])


def test_small_parts_are_taken_whole() -> None:
    """A client with fewer samples than a batch uses all of them, one with none uses none."""
    batches = Batches(PARTS, 16, Streams(1))
    assert np.array_equal(batches.draw(1, 0, 0), PARTS[1])
    assert len(batches.draw(2, 0, 0)) == 0


def test_full_batches_take_everything() -> None:
    """And the largest part says how large a batch gets."""
    batches = Batches(PARTS, "full", Streams(1))
    assert np.array_equal(batches.draw(0, 3, 0), PARTS[0])
    assert batches.size == 40
    assert Batches(PARTS, 1000, Streams(1)).size == 40


def test_draws_are_keyed() -> None:
    """Repeatable in any order; another round, step, client or seed gives another batch."""
    batches = Batches([PARTS[0], PARTS[0]], 16, Streams(1))
    keys = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    drawn = [tuple(batches.draw(*key)) for key in keys]
    assert [tuple(batches.draw(*key)) for key in reversed(keys)] == drawn[::-1]
    assert len({*drawn, tuple(Batches(PARTS, 16, Streams(2)).draw(0, 0, 0))}) == 5


def test_by_epochs_every_sample_is_used_once_a_pass() -> None:
    """40 samples in batches of 16, 16 and 8; each pass and round in another order."""
    batches = Batches(PARTS, 16, Streams(1), epochs=True)
    passes = []
    for round, first in ((0, 0), (0, 3), (1, 0)):
        drawn = [batches.draw(0, round, first + step) for step in range(3)]
        assert [len(batch) for batch in drawn] == [16, 16, 8]
        assert all((np.diff(batch) > 0).all() for batch in drawn)
        assert np.array_equal(np.sort(np.concatenate(drawn)), PARTS[0])
        passes.append(tuple(drawn[0]))
    assert len(set(passes)) == 3
    assert np.array_equal(batches.draw(0, 0, 1), batches.draw(0, 0, 1))
    assert np.array_equal(batches.draw(1, 0, 5), PARTS[1])


def test_passes_of_several_clients_may_mix() -> None:
    """Each batch is that of its pass, asked for in any order, and may be written to."""
    parts = [np.arange(40), np.arange(40, 90)]
    batches = Batches(parts, 16, Streams(1), epochs=True)
    keys = [(client, round, step) for step in range(6) for round in (0, 1) for client in (0, 1)]
    for key in [*keys, *reversed(keys), *keys]:
        fresh = Batches(parts, 16, Streams(1), epochs=True).draw(*key)
        drawn = batches.draw(*key)
        assert np.array_equal(drawn, fresh)
        drawn[:] = 0


def test_every_sample_gets_its_turn() -> None:
    """Over 1000 steps each of 40 samples is drawn about 1000 · 16/40 = 400 times (σ ≈ 15)."""
    batches = Batches(PARTS, 16, Streams(1))
    counts = np.bincount(np.concatenate([batches.draw(0, 0, step) for step in range(1000)]))[100:]
    assert np.abs(counts - 400).max() < 75


def test_the_smallest_batch_is_what_is_left_of_a_pass() -> None:
    """By epochs 41 samples are 40 and one; drawn anew there are always 40."""
    parts = [np.arange(41), np.arange(80), np.arange(0)]
    assert Batches(parts, 40, Streams(1), epochs=True).smallest == 1
    assert Batches(parts, 40, Streams(1)).smallest == 40
    assert Batches([np.arange(80), np.arange(7)], 40, Streams(1), epochs=True).smallest == 7
