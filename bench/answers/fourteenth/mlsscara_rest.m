gam = l1*l2*m3 + l1*l2*m4 + l1*m2*r2;
s2  = sin(theta2);
C = [-gam*s2*dtheta2, -gam*s2*(dtheta1 + dtheta2), 0, 0;
      gam*s2*dtheta1,  0,                          0, 0;
      0, 0, 0, 0;
      0, 0, 0, 0];
G = [0; 0; 0; m4*g];
