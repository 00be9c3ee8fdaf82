> # acrobot: Lagrangian, w1, w2 = time derivatives of q1, q2
> T1 := 1/2*(I1 + m1*lc1^2)*w1^2:
> v2 := l1^2*w1^2 + lc2^2*(w1+w2)^2 + 2*l1*lc2*w1*(w1+w2)*cos(q2):
> T2 := 1/2*m2*v2 + 1/2*I2*(w1+w2)^2:
> V := -m1*g*lc1*cos(q1) - m2*g*(l1*cos(q1) + lc2*cos(q1+q2)):
> L := T1 + T2 - V;
  L := 1/2*(I1 + m1*lc1^2)*dq1^2 + 1/2*m2*(l1^2*dq1^2 + lc2^2*(dq1+dq2)^2 + 2*l1*lc2*dq1*(dq1+dq2)*cos(q2)) + 1/2*I2*(dq1+dq2)^2 + m1*g*lc1*cos(q1) + m2*g*(l1*cos(q1) + lc2*cos(q1+q2))
