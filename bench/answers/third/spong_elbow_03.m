d11 = @(q) m1*lc1^2 + I1 + I2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q(2)));
d12 = @(q) I2 + m2*(lc2^2 + l1*lc2*cos(q(2)));
d22 = I2 + m2*lc2^2;
M = @(q) [d11(q), d12(q); d12(q), d22];
G = @(q) [(m1*lc1 + m2*l1)*g*cos(q(1)) + m2*lc2*g*cos(q(1)+q(2)); m2*lc2*g*cos(q(1)+q(2))];
