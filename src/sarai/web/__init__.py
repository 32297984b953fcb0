"""The site: pages, the stream, the JSON interface. It decides nothing about a game; tables do."""
