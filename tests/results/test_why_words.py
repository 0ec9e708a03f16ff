"""Why a round took its time, said in words and in the lines of ``netsim explain``."""

import pytest

from netsim.results.explain_text import explanation_text
from netsim.results.explanation import Bottleneck, Explanation, Piece
from netsim.results.ranking import BusyLink
from netsim.results.reading import ExplainedRound
from netsim.results.why_words import round_in_words


def sent(start_s, end_s, latency_s=0.0, status="delivered"):
    return Piece(
        "transfer", start_s, end_s, "node 1", "server", "update", status, 8000, latency_s, "l", 0.5
    )


def test_a_round_in_a_sentence():
    """Shares, steps in turn, and the bottleneck."""
    path = (
        Piece("computation", 4.0, 4.5, "node 1"),
        sent(4.5, 5.5, 0.01),
        Piece("waiting", 5.5, 6.0),
        sent(6.0, 8.0, status="aborted"),
    )
    why = Explanation(path, Bottleneck("downlink of server", 0.987, 3.0))
    assert round_in_words(3, 4.0, why) == (
        "Round 3 took 4.00 s (74.8 % sending, 12.5 % computing, 12.5 % waiting, 0.250 % latency): "
        "computation at node 1 (500 ms), then update from node 1 to server (1.00 s), "
        "then waiting (500 ms), then update from node 1 to server (aborted) (2.00 s). "
        "The downlink of server was busy 98.7 % of the 3.00 s in which the path used it."
    )


def test_of_many_steps_the_middle_is_counted():
    """The first two and the last two are named."""
    path = tuple(sent(t, t + 1) for t in range(7))
    text = round_in_words(0, 7.0, Explanation(path, Bottleneck("l", 0.5, 7.0)))
    assert text.count("update from node 1 to server") == 4
    assert ", then 3 more steps, then" in text


def test_waiting_to_send_again_says_what():
    """The message that failed before."""
    again = Piece("waiting", 1.0, 3.0, "node 1", "server", "update")
    path = (sent(0.0, 1.0, status="aborted"), again, sent(3.0, 4.0))
    text = round_in_words(0, 4.0, Explanation(path, Bottleneck("l", 0.5, 2.0)))
    assert ", then waiting to send update from node 1 to server again (2.00 s), then" in text


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ((), "Round 2 took 0 s."),
        (
            (Piece("waiting", 0.0, 1.0),),
            "Round 2 took 1.00 s (100 % waiting): waiting (1.00 s). Nothing was sent on the path.",
        ),
    ],
)
def test_rounds_without_transfers(path, says):
    """Nothing happened, or nothing was sent."""
    length_s = sum(piece.length_s for piece in path)
    assert round_in_words(2, length_s, Explanation(path, None)) == says


def told(path, bottleneck, links=(), rounds=5, slowest=True):
    ends = (path[0].start_s, path[-1].end_s) if path else (1.0, 1.0)
    return ExplainedRound("fedavg", rounds, 3, *ends, slowest, Explanation(path, bottleneck), links)


def test_the_lines_of_a_round():
    """Times count from the round's start; columns line up."""
    path = (Piece("computation", 4.0, 4.5, "node 1"), sent(4.5, 16.5, 0.01))
    links = (BusyLink("downlink of server", 8_000_000, 0.96),)
    text = explanation_text(told(path, Bottleneck("downlink of server", 1.0, 12.0), links))
    assert (
        text
        == """\
fedavg: round 3, the slowest of 5, took 12.5 s
  95.9 % sending, 4.00 % computing, 0.0800 % latency

  critical path                   from   takes  latency     size  busiest link on its way
  computation at node 1            0 s  500 ms
  update from node 1 to server  500 ms  12.0 s  10.0 ms  1.00 kB  l (50.0 % busy)

  The downlink of server was busy 100 % of the 12.0 s in which the path used it.

  busiest links of the round    busy  carried
  downlink of server          96.0 %  1.00 MB
"""
    )


def test_a_round_that_took_no_time():
    """One line; the only round is not called the slowest."""
    assert explanation_text(told((), None, rounds=1)) == "fedavg: round 3 took 0 s\n"
    assert "slowest" not in explanation_text(told((sent(0, 1),), None, slowest=False))


def test_a_long_path_is_shortened():
    """Forty lines and a count."""
    path = tuple(sent(t, t + 1) for t in range(100))
    lines = explanation_text(told(path, None)).splitlines()
    assert sum("update from" in line for line in lines) == 40
    assert "  ... 60 more" in lines
