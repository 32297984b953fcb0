"""Tables in a database: the schema, one reader, one writer, and news between processes."""
