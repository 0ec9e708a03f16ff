"""Chunks, virtual nodes and frequency-weighted averaging."""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.network.overlay import neighbours, random_regular
from netsim.wire.shards import RandomShards

CLIENTS, SIZE = 5, 103


def halves(task, models, round):
    """Each client's model after its local step."""
    return [
        models[k]
        - np.float32(task.lr) * task.update(k, type(task.initial).of(models[k]), round).value()
        for k in range(task.clients)
    ]


@pytest.mark.parametrize("degree", [2, 4])
def test_one_virtual_node_is_epidemic_learning(play, toy, degree):
    """The same graphs, the same bits, every round."""
    epidemic = play({"kind": "epidemic", "degree": degree}, toy(CLIENTS, SIZE), 4)
    shatter = {"kind": "shatter", "virtual_nodes": 1, "degree": degree}
    assert np.array_equal(play(shatter, toy(CLIENTS, SIZE), 4).models, epidemic.models)


@pytest.mark.parametrize(("virtual_nodes", "degree"), [(2, 3), (4, 4), (3, 2)])
@pytest.mark.parametrize("links", ["shared", "own"])
def test_it_averages_each_parameter_over_its_copies(play, toy, virtual_nodes, degree, links):
    """Against a direct computation from the graph and the chunks, two rounds on."""
    settings = {"virtual_nodes": virtual_nodes, "degree": degree, "links": links}
    task = toy(CLIENTS, SIZE)
    run = play({"kind": "shatter"} | settings, task, 2)
    rng = Streams(7).rng("chunks", virtual_nodes)
    chunk_n = RandomShards(SIZE, virtual_nodes, rng).owner_of()
    models = [task.initial.value()] * CLIENTS
    for round in range(2):
        half = np.array(halves(task, models, round), np.float64)
        total, copies = half.copy(), np.ones_like(half)
        nodes = CLIENTS * virtual_nodes
        graph = neighbours(random_regular(degree, nodes, Streams(7), round))
        for v, others in enumerate(graph):
            for other in others:
                sender, chunk = divmod(int(other), virtual_nodes)
                mine = chunk_n == chunk
                total[v // virtual_nodes, mine] += half[sender, mine]
                copies[v // virtual_nodes, mine] += 1
        models = (total / copies).astype(np.float32)
        assert np.array(run.models[round]) == pytest.approx(models, abs=1e-5)


def test_every_chunk_has_its_size(play, toy):
    """103 parameters in four chunks of 26, 26, 26 and 25, static over rounds."""
    run = play({"kind": "shatter", "virtual_nodes": 4, "links": "own"}, toy(CLIENTS, SIZE), 2)
    t = run.transfers
    rows = t.kind == [kind.name for kind in t.kinds].index("chunk")
    for round in range(2):
        mine = rows & (t.round == round) & (t.sender == 0)
        assert (t.payload_bits[mine] // 32).tolist() == [26, 26, 26, 25]


def test_a_chunk_that_fails_is_a_copy_less(play, toy, those):
    """Complete graph of two: node 0 misses the exchange and keeps its own half step."""
    task = toy(2, 20)
    trouble = those("exchange", receiver=2)
    run = play({"kind": "shatter", "virtual_nodes": 1, "degree": 1}, task, 1, trouble=trouble)
    half = halves(task, [task.initial.value()] * 2, 0)
    assert run.models[0][0] == pytest.approx(half[0], abs=1e-6)
    assert run.models[0][1] == pytest.approx((half[0] + half[1]) / 2, abs=1e-6)


@pytest.mark.parametrize("kind", ["chunk", "forward"])
def test_virtual_nodes_on_links_of_their_own_can_be_cut_off(play, toy, those, kind):
    """Node 0 gets nothing back when its forwards fail; others go on without a lost chunk."""
    task = toy(2, 20)
    settings = {"virtual_nodes": 1, "degree": 1, "links": "own"}
    ends = {"chunk": {"sender": 0}, "forward": {"receiver": 0}}[kind]
    run = play({"kind": "shatter"} | settings, task, 1, trouble=those(kind, **ends))
    half = halves(task, [task.initial.value()] * 2, 0)
    mean = (half[0] + half[1]) / 2
    expected = [mean, half[1]] if kind == "chunk" else [half[0], mean]
    assert np.array(run.models[0]) == pytest.approx(np.array(expected), abs=1e-6)


def test_on_a_shared_link_only_the_exchange_is_traffic(play, toy):
    """Chunks and forwards stay inside a node and take no time."""
    run = play({"kind": "shatter", "virtual_nodes": 3, "degree": 2}, toy(CLIENTS, SIZE), 1)
    on_link = run.transfers.select(run.transfers.on_link)
    assert {on_link.kinds[code].name for code in on_link.kind} == {"exchange"}
