function dz = cartdouble(t, z, m0, m1, m2, l1, l2, g, u)
th1 = z(2);  th2 = z(3);
M = zeros(3,3);
M(1,1) = m0 + m1 + m2;
M(1,2) = (m1 + m2)*l1*cos(th1) + m2*l2*cos(th1 + th2);
M(1,3) = m2*l2*cos(th1 + th2);
M(2,2) = (m1 + m2)*l1^2 + m2*l2^2 + 2*m2*l1*l2*cos(th2);
M(2,3) = m2*l2^2 + m2*l1*l2*cos(th2);
M(3,3) = m2*l2^2;
M(2,1) = M(1,2);  M(3,1) = M(1,3);  M(3,2) = M(2,3);
G = [0;
     (m1 + m2)*g*l1*sin(th1) + m2*g*l2*sin(th1 + th2);
     m2*g*l2*sin(th1 + th2)];
dz = [z(4:6); M\(u - G)];   % velocity terms follow in part (c)
end
