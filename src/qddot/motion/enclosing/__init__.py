"""Lohner's enclosure of the solution of differential equations.

`lohner` over any rates, with their `variations`, from a box or from starts with closed `loops`.
"""
