"""Bots at tables: processes that compile games and choose moves, and which games are ready."""
