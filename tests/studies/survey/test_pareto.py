"""The front of runs that none beats."""

from hypothesis import given
from hypothesis import strategies as st

from netsim.studies.survey.pareto import Candidate, front

CANDIDATES = st.lists(
    st.builds(Candidate, st.just("x"), st.integers(1, 6).map(float), st.integers(0, 6).map(float))
)


def test_a_run_that_another_beats_in_both_is_not_on_it() -> None:
    """b is slower and worse than a; c is slower but better; ties in both stay."""
    a, b = Candidate("a", 1, 0.8), Candidate("b", 2, 0.7)
    c, twin = Candidate("c", 3, 0.9), Candidate("twin", 1, 0.8)
    assert front([c, b, a, twin]) == [a, twin, c]


@given(CANDIDATES)
def test_accuracy_rises_along_it_and_all_others_are_beaten(given: list[Candidate]) -> None:
    """Along the front less cost is less accuracy; who is not on it is beaten by one who is."""
    best = front(given)
    assert [each.accuracy for each in best] == sorted(each.accuracy for each in best)
    for other in given:
        if other not in best:
            assert any(b.cost <= other.cost and b.accuracy >= other.accuracy for b in best)
