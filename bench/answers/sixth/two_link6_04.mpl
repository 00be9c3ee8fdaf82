> G1 := g*l*(1/2*m1*cos(q1) + m2*cos(q1) + 1/2*m2*cos(q1+q2));
> G2 := 1/2*g*l*m2*cos(q1+q2);
