"""This catalogue has what people confuse in descriptions; the doctor, the comparison and the checker use it."""
