M11 := (m1 + m2)*l1^2 + m2*l2^2 + 2*m2*l1*l2*cos(q2);
M12 := m2*l2^2 + m2*l1*l2*cos(q2);
M22 := m2*l2^2;
M12 := 'M12';
M12 := m2*l2^2 - m2*l1*l2*cos(q2);
M := Matrix([[M11, M12], [M12, M22]]);
