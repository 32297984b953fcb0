"""The pages: those around the tables, the table's page, the rules."""
