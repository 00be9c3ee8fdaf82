G = {0, -m*g*l*Sin[beta]};
Clear[G];
G = {0, m*g*l*Sin[beta]};
G // MatrixForm
