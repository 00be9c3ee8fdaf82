M11 = Izz1 + Izz2 + m1*l1*l1 + m2*d2;
M12 = 0;
M22 = m2;
