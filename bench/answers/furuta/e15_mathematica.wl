M = {{J0 + m r^2 + m l^2 Sin[beta]^2, -m r l Cos[beta]}, {-m r l Cos[beta], m l^2}};
G = {0, -m g l Sin[beta]};
