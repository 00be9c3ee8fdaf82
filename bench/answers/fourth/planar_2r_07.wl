hh = m2 l1 l2/2 Sin[q2];
CC = {{-hh qd2, -hh qd2}, {hh qd1, 0}};
MatrixForm[CC]
