"""netsim: federated and decentralised learning over a simulated network."""

__version__ = "0.1.0"
