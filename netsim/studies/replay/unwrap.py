"""Errors of replays, out of the groups that tasks wrap them in."""

from netsim.kernel import Deadlock
from netsim.network.ledger import Diverged
from netsim.results.errors import ResultsError
from netsim.studies.play import Player
from netsim.studies.run import play


def played_out(player: Player) -> tuple[str | None, Deadlock | None]:
    """As ``play``; raises a `Diverged` or a ``ResultsError`` bare where nothing else is wrong."""
    try:
        return play(player)
    except ExceptionGroup as error:
        if error.split((Diverged, ResultsError))[1] is not None:
            raise
        found: Exception = error
        while isinstance(found, ExceptionGroup):
            found = found.exceptions[0]
        raise found from error
