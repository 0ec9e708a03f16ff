"""A training recorded, and its times on other networks."""

from netsim.network.ledger import Diverged, Ledger
from netsim.protocols.base import ProtocolConfig
from netsim.results.digest import sent_digest
from netsim.results.records import RunResult
from netsim.studies.play import Played, Player
from netsim.studies.replay.record import Record
from netsim.studies.replay.task import ReplayedTask
from netsim.studies.replay.unwrap import played_out
from netsim.studies.run import result_of
from netsim.studies.scenario import Scenario


def retime(scenario: Scenario, config: ProtocolConfig, label: str, record: Record) -> RunResult:
    """The result that training in ``scenario`` would have, without training.

    Raises `Diverged` if something is asked for that is not on record, or if in the end other
    messages were sent.
    """
    ledger = Ledger(record.course.entries)
    player = Player(scenario, config, ReplayedTask(record.course), _unheard, ledger)
    failure, _ = played_out(player)
    if failure is not None:
        raise Diverged(f"the run ends in a {failure}")
    evaluated = [played.round for played in player.rounds if played.evaluations]
    if evaluated != record.course.evaluated:
        raise Diverged("models are evaluated after other rounds than those on record")
    result = result_of(player, label, None, record.known)
    if sent_digest(result.transfers) != record.sent_digest:
        raise Diverged("other messages are sent than those on record")
    return result


def _unheard(_: Played) -> None:
    """Nobody follows the rounds."""
