"""The functions of an arm in numbers, and their export as source code: `arm`, `kinematics` and `centroidal` have
the typed methods, `calls` the table from a call to its code, `composed` the results that consist of several functions.
"""
