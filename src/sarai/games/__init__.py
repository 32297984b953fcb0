"""One folder per game, the same files in each; `docs/architecture.md` lists them."""
