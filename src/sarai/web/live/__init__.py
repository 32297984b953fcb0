"""What changes on a table's page while it is open: viewers, parts, boards, the log, the stream."""
