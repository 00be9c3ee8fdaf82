M11 := I1 + I2 + m1*lc1^2 + m2*l1^2 + m2*lc2^2 + 2*m2*l1*lc2*cos(q2):
M12 := I2 + m2*lc2^2 + 2*m2*l1*lc2*cos(q2):
M22 := I2 + m2*lc2^2:
M := <<M11|M12>, <M12|M22>>;
