G = zeros(2,1);
G(1) = L*g*cos(q1)*(m1/2 + m2 + m2*cos(q2)/2);
G(2) = (1/2)*L*g*m2*cos(q1)*sin(q2);
