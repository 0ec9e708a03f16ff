"""A training recorded, and its times on other networks."""

from collections.abc import Callable

from netsim.learning.base import Task
from netsim.network.ledger import Diverged, Ledger
from netsim.protocols.base import ProtocolConfig
from netsim.results.digest import sent_digest
from netsim.results.records import RunResult
from netsim.studies.play import Played, Player
from netsim.studies.replay.record import Record
from netsim.studies.replay.task import RecordingTask, ReplayedTask
from netsim.studies.run import Outcome, known_of, play, result_of
from netsim.studies.scenario import Scenario


def train(
    scenario: Scenario,
    config: ProtocolConfig,
    label: str,
    task: Task,
    on_round: Callable[[Played], None],
) -> tuple[Outcome, Record | None]:
    """Run a protocol; its record unless it failed."""
    recording, ledger = RecordingTask(task), Ledger()
    player = Player(scenario, config, recording, on_round, ledger)
    failure, deadlock = play(player)
    known = known_of(player)
    outcome = Outcome(result_of(player, label, failure, known), deadlock)
    if failure is not None:
        return outcome, None
    recording.course.entries = ledger.entries
    return outcome, Record.of(recording.course, known, outcome.result)


def retime(scenario: Scenario, config: ProtocolConfig, label: str, record: Record) -> RunResult:
    """The result that training in ``scenario`` would have, without training.

    Raises `Diverged` if something is asked for that is not on record, or if in the end other
    messages were sent.
    """
    ledger = Ledger(record.course.entries)
    player = Player(scenario, config, ReplayedTask(record.course), _unheard, ledger)
    try:
        failure, _ = play(player)
    except ExceptionGroup as error:
        raise divergence(error) from error
    if failure is not None:
        raise Diverged(f"the run ends in a {failure}")
    result = result_of(player, label, None, record.known)
    if sent_digest(result.transfers) != record.sent_digest:
        raise Diverged("other messages are sent than those on record")
    return result


def divergence(error: ExceptionGroup[Exception]) -> Exception:
    """The first `Diverged` in ``error``, or all of it where there is something else in it."""
    if error.split(Diverged)[1] is not None:
        return error
    found: Exception = error
    while isinstance(found, ExceptionGroup):
        found = found.exceptions[0]
    return found


def _unheard(_: Played) -> None:
    """Nobody follows the rounds."""
