"""The house in the browser: pages, the stream, the JSON interface. It decides nothing about a game: it asks the table and shows the answer."""
