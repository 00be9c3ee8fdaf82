import qddot
e = qddot.load('two_link').equations()
M = e.M
G = e.G
