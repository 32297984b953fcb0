"""All tables of one process: decide, store, then publish."""
