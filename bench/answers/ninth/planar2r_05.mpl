# planar arm, masses in the middle of the links
M[1,1] := I1zz + m1*(l1/2)^2 + I2zz + m2*(l1^2 + (l2/2)^2 + 2*l1*(l2/2)*cos(q2));
M[1,2] := I2zz + m2*((l2/2)^2 + l1*(l2/2)*cos(q2));
M[2,1] := M[1,2];
M[2,2] := I2zz + m2*(l2/2)^2;
