"""What a game is: games, states, views, moves, chance, records, kernels."""
