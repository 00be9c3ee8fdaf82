# x1 position, x2 velocity, u force
f(x, u; m=m, b=b, k=k) = [x[2], (u - b*x[2] - k*x[1]) / m]
# i.e. xdd = (tau1 - b*xd - k*x)/m
