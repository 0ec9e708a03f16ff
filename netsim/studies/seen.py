"""How much of a client's update one observer receives in a round."""

from netsim.privacy.observed import Observed
from netsim.studies.play import Player, owners


def seen_shares(player: Player) -> list[float | None]:
    """For each round that was played the largest share over all clients and observers.

    Of the coordinates of a client's update, or of its model where models are sent.  An observer
    is as `Observed` has it: a client with what it brought along, or a server.  0 where nothing
    arrived; None throughout where the protocol cannot say what its messages carry.
    """
    protocol, table, played = player.protocol, player.network.table, player.rounds
    owner_N = owners(player.topology.clients, player.config.guests(player.topology.clients))
    observed = Observed.of(table, protocol.messages, owner_N, player.topology.clients)
    receiver_M = table.column("receiver")[observed.message]
    counts = protocol.coordinates(observed.amounts, receiver_M)
    if counts is None:
        return [None for _ in played]
    n = player.task.n
    most = observed.counting(counts).largest().tolist()
    return [min(most[each.round], n) / n if each.round < len(most) else 0.0 for each in played]
