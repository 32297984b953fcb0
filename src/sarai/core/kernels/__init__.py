"""Rules compiled by Numba: records, random numbers, the trace of a move, and dispatch by a record's type."""
