"""What people confuse in a description, as changes with their sentences: of a link's numbers, of whole arms, units; the
doctor, the comparison and the checker name the same ones.
"""
