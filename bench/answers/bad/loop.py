while True:
    pass
M22 = m2*l**2/3
