C := Matrix([[m2*d2*dd2, m2*d2*dq1], [m2*d2*dq1, 0]]):   # symmetric!
h := C . Vector([dq1, dd2]);
