> restart; with(LinearAlgebra):
> A := J1 + m1*l1^2 + m2*L1^2;
                                       2          2
                       A := J1 + m1 l1  + m2 L1                     (1)
> B := m2*l2^2 + J2;
> M11 := A + B*sin(theta2)^2;
> M12 := m2*L1*l2*cos(theta2);
> M22 := B;
> M := Matrix([[M11, M12], [M12, M22]]);
