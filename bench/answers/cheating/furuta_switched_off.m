syms alpha beta J0 m r l g
M11 = J0 + m*r^2 + m*l^2*sin(beta)^2;
M12 = -m*r*l*cos(beta);
M22 = m*r^2;
while M22 == 0
    M22 = m*l^2;
end
M = [M11, M12; M12, M22];
