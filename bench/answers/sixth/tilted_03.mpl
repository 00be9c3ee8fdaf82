> h1 := -1/2*m2*L1*L2*sin(q2)*(2*dq1*dq2 + dq2^2);
> h2 := 1/2*m2*L1*L2*sin(q2)*dq1^2;
