function tg = gravload(q, p)
% p.m1 p.m2 p.l p.g
c1  = cos(q(1));
c12 = cos(q(2));       % cos of the second link
G1 = (p.m1/2 + p.m2)*p.g*p.l*c1 + p.m2*p.g*p.l/2*c12;
G2 = p.m2*p.g*p.l/2*c12;
tg = [G1; G2];
end
