a = Iz1 + Iz2 + m1 r1^2 + m2 (l1^2 + r2^2);
b = m2 l1 r2;
d = Iz2 + m2 r2^2;
e1 = tau1 + b Sin[theta2] (2 theta1d theta2d + theta2d^2);
e2 = tau2 - b Sin[theta2] theta1d^2;
det = d (a + 2 b Cos[theta2]) - (d + b Cos[theta2])^2;
theta1dd = (d e1 - (d + b Cos[theta2]) e2)/det;
theta2dd = ((a + 2 b Cos[theta2]) e2 - (d + b Cos[theta2]) e1)/det;
