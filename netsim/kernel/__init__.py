"""Virtual time: asyncio on a SimPy environment."""
