M = {{m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*Cos[q2]) + I1 + I2, m2*(lc2^2 + l1*lc2*Cos[q2]) + I2}, {m2*(lc2^2 + l1*lc2*Cos[q2]) + I2, m2*lc2^2 + I2}} /. q2 -> Pi/2
