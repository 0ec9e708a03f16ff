"""Scenarios brought to life: run one, compare, write the results."""
