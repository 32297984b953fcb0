"""How fast the house is: random play compiled, uncompiled and through Python, beside OpenSpiel, PettingZoo and a plain program."""
