"""Where updates are summed: at a server, or shard by shard at some of the clients."""
