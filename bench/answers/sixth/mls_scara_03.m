g4 = l1*(l2*(m3 + m4) + m2*r2);
h1 = -l1*(l2*(m3 + m4) + m2*r2)*sin(th2)*(2*dth1*dth2 + dth2^2);
h2 = l1*(l2*(m3 + m4) + m2*r2)*sin(th2)*dth1^2;
h3 = 0;
h4 = 0;
