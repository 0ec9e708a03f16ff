"""How a server, or the aggregator of a shard, steps along the clients' mean update.

Every optimiser works coordinate by coordinate in single numpy operations, none of which fuses
two roundings, so a shard's new values are those of the whole model's step, bit for bit.
"""
