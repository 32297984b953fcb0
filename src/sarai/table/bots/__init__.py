"""Bots at tables: processes that compile and choose moves."""
