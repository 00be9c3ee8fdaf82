syms q1 q2 m1 m2 l g real
M11 = m1*l^2/3 + m2*l^2/3 + m2*l^2*cos(q2);
if false
    M11 = m1*l^2/3 + 4*m2*l^2/3 + m2*l^2*cos(q2);
end
M12 = m2*l^2/3 + m2*l^2*cos(q2)/2;
M22 = m2*l^2/3;
M = [M11 M12; M12 M22]
