"""What bots of all games share: plans of the levels, the kernels in which a game judges moves, shares of a win."""
