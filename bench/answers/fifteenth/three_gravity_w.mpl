c1 := cos(q1): c12 := cos(q1 + q2): c123 := cos(q1 + q2 + q3):
G := Vector([(m1 + m2 + m3)*g*l1*c1 + (m2 + m3)*g*l2*c12 + m3*g*l3*c123,
             m2*g*l2*c12 + m3*g*l3*c123,
             m3*g*l3*c123]);
