"""Plays transfers over access links on SimGrid, under the system's own Python.

usage: python3 simgrid_peer.py CASE.json FINISH.json
CASE.json: {"rates_Bps": [...], "sender": [...], "receiver": [...], "bytes": [...]}, node i with
uplink 2i and downlink 2i + 1.  Prints the seconds the simulation took.  Imports nothing of netsim.
"""

import json
import sys
import time

from simgrid import Actor, Comm, Engine, LinkInRoute, NetZone

CONFIG = [
    "--cfg=network/model:CM02",
    "--cfg=network/TCP-gamma:0",
    "--cfg=network/crosstraffic:0",
    "--cfg=network/optim:Full",
    "--cfg=network/bandwidth-factor:1",
    "--cfg=network/latency-factor:1",
    "--cfg=network/weight-S:0",
]


def main(source: str, target: str) -> None:
    with open(source) as file:
        case = json.load(file)
    engine = Engine([sys.argv[0], *CONFIG])
    rates = case["rates_Bps"]
    zone = NetZone.create_star_zone("z")
    hosts = [zone.create_host(f"h{i}", 1e9) for i in range(len(rates) // 2)]
    links = [zone.create_link(f"l{i}", rate).set_latency(0).seal() for i, rate in enumerate(rates)]
    for i, host in enumerate(hosts):
        zone.add_route(host.netpoint, None, None, None, [LinkInRoute(links[2 * i])], False)
        zone.add_route(None, host.netpoint, None, None, [LinkInRoute(links[2 * i + 1])], False)
    zone.seal()
    transfers = list(zip(case["sender"], case["receiver"], case["bytes"], strict=True))
    finish = [0.0] * len(transfers)

    def play() -> None:
        comms = [Comm.sendto_async(hosts[s], hosts[r], size) for s, r, size in transfers]
        for number, comm in enumerate(comms):
            comm.wait()
            finish[number] = comm.finish_time

    Actor.create("play", hosts[0], play)
    begun = time.perf_counter()
    engine.run()
    print(time.perf_counter() - begun)
    with open(target, "w") as file:
        json.dump(finish, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
