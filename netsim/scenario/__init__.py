"""Configuration: schema, units, YAML with line-numbered errors."""
