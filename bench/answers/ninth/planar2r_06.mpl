M := Matrix([[I1xx + m1*l1^2/4 + I2zz + m2*(l1^2 + l2^2/4 + l1*l2*cos(q2)), I2zz + m2*(l2^2/4 + l1*l2*cos(q2)/2)],
             [I2zz + m2*(l2^2/4 + l1*l2*cos(q2)/2), I2zz + m2*l2^2/4]]);
