% spatial RR arm: link inertia diag(Ia/2, Ia, Ia), gravity along +x0
D11 = Ia + m1*L^2/4 + m2*L^2*(1 + cos(q2)/2)^2 + Ia*(cos(q2)^2 + sin(q2)^2/2);
D22 = Ia + m2*L^2/4;
D = [D11 0; 0 D22];

% half of dD11/dq2
k = -(m2*L^2*(1 + cos(q2)/2)*sin(q2) + Ia*sin(q2)*cos(q2))/2;
C = [k*qd2, k*qd1;
     -k*qd1, 0];

G = [g*L*sin(q1)*(m1/2 + m2 + m2*cos(q2)/2);
     g*L*m2*cos(q1)*sin(q2)/2];
