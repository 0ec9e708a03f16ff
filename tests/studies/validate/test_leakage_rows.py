"""Rows of leakage: bounds beside what was observed."""

from collections import Counter

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.network.overlay import neighbours, random_regular
from netsim.studies.validate.leakage import eris, shatter
from netsim.studies.validate.leakage.eris import Case, largest_shard, pairs_told, told
from netsim.studies.validate.leakage.judged import Claim, judge
from netsim.studies.validate.leakage.rows import leakage_rows
from netsim.studies.validate.leakage.table import kind_of, leakage_text
from netsim.studies.validate.leakage.watched import Measured, Place, watch


@pytest.fixture(scope="module")
def rows():
    """All of them."""
    return list(leakage_rows())


def found(rows, source, setting, coalition=None, quantity=None):
    """The one row of these."""
    (row,) = [
        each
        for each in rows
        if (each.source, each.setting) == (source, setting)
        and coalition in (None, each.coalition)
        and quantity in (None, each.quantity)
    ]
    return row


def test_every_theorem_has_rows_and_no_proven_bound_is_violated(rows):
    """By source, and by verdict."""
    sources = {row.source for row in rows}
    assert sources == {
        *("ERIS Theorem 3.7", "ERIS Corollary D.2", "CEPAM Theorem 12", "CEPAM Theorem 13"),
        *("Shatter Theorem 2", "Shatter Theorem 2, certain"),
        *("Shatter Theorem 3", "Shatter Theorem 3, printed"),
        *("Shatter Theorem 4, with ½ ln", "Shatter Theorem 4, printed"),
    }
    assert not any(row.broken for row in rows)
    assert all(row.reason for row in rows)
    assert Counter(kind_of(row.verdict) for row in rows)["no bound here"] == 2


@pytest.mark.parametrize(
    ("source", "setting", "coalition", "count"),
    [
        ("ERIS Theorem 3.7", "A=10, rand-k 0.05", "1 aggregator", 50),
        ("ERIS Corollary D.2", "A=10, rand-k 0.05", "5 aggregators", 250),
        ("ERIS Corollary D.2", "A=4", "4 aggregators", 10_000),
        ("ERIS Corollary D.2", "A=10", "9 aggregators", 9000),
        ("CEPAM Theorem 12", "by default", "server", 2000),
        ("CEPAM Theorem 13", "by default", "9 other clients", 0),
    ],
)
def test_counts_by_hand(rows, source, setting, coalition, count):
    """Where nothing is drawn in number, they are exact."""
    row = found(rows, source, setting, coalition, "coordinates/round")
    assert (row.observed, row.most) == (count, count)
    assert row.bound in (count, None)


def test_masks_that_are_drawn(rows):
    """Around the mean that the theorem bounds, and more than it in some rounds."""
    row = found(rows, "ERIS Theorem 3.7", "A=10, bernoulli 0.05", quantity="coordinates/round")
    assert row.verdict == "equal within the draws"
    assert row.bound == 50 < row.most < 100


def test_shards_that_fail_are_not_seen(rows):
    """About a tenth less than is counted."""
    row = found(rows, "ERIS Theorem 3.7", "A=10, 10 % of links fail")
    assert row.verdict.startswith("holds")
    assert row.ratio == pytest.approx(0.9, abs=0.03)


def test_where_the_theorems_bound_nothing(rows):
    """Unequal shards, and coordinates that depend on each other: more than is printed."""
    largest = found(rows, "ERIS Theorem 3.7", "A=10, optimal shards", "of the largest shard")
    assert largest.observed > 2 * largest.bound
    assert largest.observed == largest.most
    pairs = found(rows, "ERIS Theorem 3.7", "A=10, noise ρ = 0.99")
    assert pairs.ratio == pytest.approx(3.623, abs=1e-3)
    assert "independent" in pairs.reason


def test_shatter_as_its_errata_have_it(rows):
    """Theorem 3 exactly, and as printed 3 % too small; Theorem 2 off by 11 %; 4 without ½ ln."""
    assert found(rows, "Shatter Theorem 3, printed", "n=10, k=4, r=4").verdict == (
        "approximation (3.39 % too small)"
    )
    exact = found(rows, "Shatter Theorem 3", "n=10, k=4, r=4", "3 nodes")
    assert exact.verdict == "equal within the draws"
    whole = found(rows, "Shatter Theorem 2", "n=5, k=4, r=8")
    assert whole.verdict == "approximation (11.3 % too small)"
    nats = [
        found(rows, f"Shatter Theorem 4, {how}", "n=10, k=4, r=4")
        for how in ("with ½ ln", "printed")
    ]
    assert 0 < nats[0].observed == nats[1].observed < nats[0].bound < nats[1].bound
    assert "½ ln" in nats[1].reason


def test_the_table_has_every_row_and_what_became_of_them(rows):
    """A line a row at least, notes, and the count."""
    text = leakage_text(rows)
    assert text.count("Theorem 3.7 ") >= 12
    assert text.endswith(
        f"{len(rows)} rows: 30 equal, 9 holds, 4 approximation, 2 no bound here, "
        "4 bounds no count; all proven bounds hold\n"
    )


@pytest.mark.parametrize("config", [{"kind": "eris", "aggregators": 4}, {"kind": "epidemic"}])
def test_the_mean_over_coalitions_is_the_closed_one(config):
    """By all coalitions one after the other, and by how many of them miss a payload."""
    run = watch(config, Place(6, 61, 3))
    for colluding in (1, 2, 3):
        closed = run.observed.mean_by(colluding, range(4)).mean()
        assert run.received(colluding, range(4)).mean == pytest.approx(closed)


def test_what_of_a_model_arrives_is_known_by_chunk():
    """The sets of parameters behind Theorem 4 are those of the graphs."""
    case = shatter.Case(3, 4, Place(4, 20, rounds=3))
    got = {tuple(each.tolist()) for each in shatter.partly_received(case, case.watch())}
    cut = shatter.Chunking("static", 20, 3, Streams(0)).of(0)
    expected = set()
    for round in range(3):
        pairs = {}
        for v, others in enumerate(neighbours(random_regular(4, 12, Streams(0), round))):
            for observer in {*(others // 3).tolist()} - {v // 3}:
                pairs.setdefault((v // 3, observer), set()).add(v % 3)
        for chunks in pairs.values():
            mask = np.zeros(20, bool)
            for s in chunks:
                mask[cut.selector(s)] = True
            if not mask.all():
                expected.add(tuple(mask.tolist()))
    assert got == expected
    assert len(got) > 2


def test_nats_are_counts_times_c_max():
    """½ ln 2 a coordinate, T rounds; and pairs more than their two coordinates."""
    case = Case("small", 2, Place(3, 40, rounds=7), (1,), {})
    run = case.watch()
    alone = told(case, run, 1)
    assert alone.observed == alone.bound == pytest.approx(7 * 20 * np.log(2) / 2)
    assert pairs_told(case, run).observed > 3 * alone.observed
    with pytest.raises(AssertionError, match="part pairs"):
        pairs_told(Case("odd", 2, Place(3, 42, rounds=2), (1,), {}), run)


def test_the_largest_of_unequal_shards():
    """Rates of 3 to 1: more than half of each update at one of two aggregators."""
    rates = ["3 MB/s", "1 MB/s", "1 MB/s"]
    place = Place(3, 100, rounds=2, network={"uplink": rates, "downlink": rates})
    case = Case("unequal", 2, place, (1,), {"shards": "proportional"})
    row = largest_shard(case, case.watch())
    assert (row.bound, row.observed) == (50, 75)
    assert row.verdict == "no bound here (50.0 % above)"
    assert not row.broken


@pytest.mark.parametrize(
    ("bound", "standing", "mean", "error", "verdict", "broken"),
    [
        (10.0, "proven", 10.0, 0.0, "equal", False),
        (10.0, "proven", 10.4, 0.1, "equal within the draws", False),
        (10.0, "proven", 10.6, 0.1, "bound violated (6.00 % above)", True),
        (10.0, "proven", 10.0001, 0.0, "bound violated (0.00100 % above)", True),
        (10.0, "proven", 9.0, 0.1, "holds (10.0 % below)", False),
        (10.0, "printed", 15.0, 0.0, "no bound here (50.0 % above)", False),
        (10.0, "approximation", 15.0, 0.1, "approximation (50.0 % too small)", False),
        (10.0, "approximation", 5.0, 0.1, "approximation (50.0 % too large)", False),
        (0.0, "proven", 1.0, 0.0, "bound violated (all of it above)", True),
        (0.0, "proven", 0.0, 0.0, "equal", False),
        (None, "silent", 5.0, 0.0, "bounds no count", False),
    ],
)
def test_verdicts(bound, standing, mean, error, verdict, broken):
    """From what is claimed and what was measured."""
    claim = Claim("s", "p", "here", "1 node", "coordinates/round", bound, standing, "why")
    row = judge(claim, Measured(mean, error, 3))
    assert (row.verdict, row.broken) == (verdict, broken)
    assert "broken" not in row.published()


def test_a_whole_model_seen_too_rarely_breaks_the_certain_range(monkeypatch):
    """Below 1 − k(1 − π) is as wrong as above π."""
    case = shatter.Case(2, 16, Place(10, 20, rounds=5))
    run = case.watch()
    assert not any(row.broken for row in shatter.whole_models(case, run))
    blind = watch({"kind": "min_leakage"}, case.place)
    rows = list(shatter.whole_models(case, blind))
    assert [row.broken for row in rows] == [False, True]


def test_p_is_what_is_kept_of_whole_coordinates():
    """⌈0.05 · 21⌉ of each of two shards; as it stands for masks of any number."""
    place = Place(3, 42, rounds=1)
    rand_k = Case("", 2, place, (1,), {"compression": {"kind": "rand_k", "keep": 0.05}})
    assert rand_k.kept() == 4 / 42
    bernoulli = Case("", 2, place, (1,), {"compression": {"kind": "bernoulli", "keep": 0.05}})
    assert bernoulli.kept() == 0.05
    assert Case("", 2, place, (1,), {}).kept() == 1
    assert rand_k.bound(1) == pytest.approx(2)
    assert eris.CORRELATION == 0.99
