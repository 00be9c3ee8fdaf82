m = 2500;  % block, from the label (g)
F = m*xdd;
tau1 = 2500*xdd;
