% MLS planar arm, no gravity
bet = m2*l1*r2;
del = Iz2 + m2*r2^2;
alp = Iz1 + Iz2 + m1*r1^2 + m2*(l1^2 + r2^2);

M = [alp + 2*bet*cos(th2), del + bet*cos(th2);
     del + bet*cos(th2),   del];

C = [-bet*sin(th2)*thd2, -bet*sin(th2)*thd2;
      bet*sin(th2)*thd1,  0];
