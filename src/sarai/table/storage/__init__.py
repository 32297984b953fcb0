"""The event log in a database: schema, one writer, and news between processes."""
