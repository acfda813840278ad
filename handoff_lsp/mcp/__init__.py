"""The MCP server: an agent checks, parses and writes handoffs with tools. Only ``server`` imports the package `mcp`."""
