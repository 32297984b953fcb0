"""Benchmarks: random play compiled, uncompiled and through Python, beside OpenSpiel, PettingZoo and plain programs."""
