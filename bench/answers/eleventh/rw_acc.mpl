D11 := m1*lc1^2 + m2*l1^2 + I1 + I2:
Delta := I2*(D11 - I2):
phi := -(m1*lc1 + m2*l1)*g*sin(q1):
qdd1 := (I2*(tau1 - phi) - I2*tau2)/Delta;
qdd2 := (D11*tau2 - I2*(tau1 - phi))/Delta;
