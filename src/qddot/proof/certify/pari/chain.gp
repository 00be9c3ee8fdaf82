/* Derives phi and A from the frames of loops and wheels, and compares them with the printed ones; the coefficients in R
   and their slopes solve A R = 0 and A R' + A' R = 0; M, Gamma, G of the chain follow from those of its tree. */
frame(path) = {my(T = matid(4)); for (i = 1, #path, T = times(T, links[path[i]][2])); T};
apart(F, S) = (S - F)[1..3, 4];
held(u, F, S) = reduced(u * apart(F, S));
held_along(k, F, S) = reduced(F[1..3, k]~ * apart(F, S));
perpendicular(i, j, F, S) = reduced(F[1..3, i]~ * S[1..3, j]);
distance(l, F, S) = {my(d = apart(F, S)); reduced((d~ * d - l^2) / 2)};
rates(phi) = vector(#positions, j, slope(phi, j));
carried(T, P, j) = {
  my(D = slopes(T, j));
  times(D[1..3, 1..3], times(T[1..3, 1..3]~, apart(T, P))) + D[1..3, 4]
};
no_slip(k, W, P, G) = vector(#positions, j, reduced(P[1..3, k]~ * (carried(W, P, j) - carried(G, P, j))));
/* an entry of R times the determinant of its rows; a coefficient is [variable, name, numerator, denominator, share] */
over(d, x) = {
  for (i = 1, #coefficients, my(r = coefficients[i]); if (x == r[1],
    same(Str("denominator of ", r[2]), d, r[4] * r[5]);
    return(reduced(r[3] * r[5]))));
  reduced(d * x)
};
product(x, y) = if (x == 0 || y == 0, 0, reduced(x * y));
dot(x, y) = sum(k = 1, #x, product(x[k], y[k]));
check_chain() = {
  my(n = #positions, m = #independent, S = R_slopes, column = vector(m, j, vector(n, k, R[k][j])));
  my(M = (i, j) -> printed_M[max(i, j)][min(i, j)], Gamma = (i, j, k) -> printed_Gamma[i][max(j, k)][min(j, k)]);
  my(onto = (what, x, printed) -> for (i = 1, m, same(Str("reduced ", what, i), dot(column[i], x), printed[i])));
  for (c = 1, #A,
    same(Str("phi", c), phi[c], printed_phi[c]);
    for (k = 1, n, same(Str("A", c, ",", k), derived_A[c][k], A[c][k]));
    if (determinants[c] != 0, my(d = determinants[c]);
      for (j = 1, m, same(Str("A R", c, ",", j), sum(k = 1, n, if (A[c][k], reduced(A[c][k] * over(d, R[k][j])))), 0);
        for (l = 1, m, same(Str("rate of A R", c, ",", j, ",", l),
          sum(k = 1, n, if (A[c][k], reduced(A[c][k] * over(d, S[k][j][l])))),
          -d * sum(k = 1, n, product(dot(rates(A[c][k]), column[l]), R[k][j])))))));
  for (j = 1, m, for (l = 1, m,
    same(Str("R", independent[j], ",", l), R[independent[j]][l], j == l);
    for (i = 1, m, same(Str("slope of R", independent[j], ",", l), S[independent[j]][l][i], 0))));
  for (j = 1, m, my(x = vector(n, k, sum(p = 1, n, product(M(k, p), R[p][j]))));
    for (i = j, m, same(Str("reduced M", i, ",", j), dot(column[i], x), reduced_M[i][j])));
  for (l = 1, m, my(along = matrix(n, n, k, p, sum(s = 1, n, product(Gamma(k, p, s), R[s][l]))));
    for (j = 1, m, my(x = vector(n, k, sum(p = 1, n, product(along[k, p], R[p][j]) + product(M(k, p), S[p][j][l]))));
      onto(Str("Gamma -,", j, ",", l, " for "), x, vector(m, i, reduced_Gamma[i][j][l]))));
  onto("G", printed_G, reduced_G);
  onto("springs", printed_springs, reduced_springs);
  for (i = 1, m,
    for (j = 1, m, same(Str("reduced viscous", i, ",", j),
      sum(k = 1, n, printed_viscous[k] * product(R[k][i], R[k][j])), reduced_viscous[i][j]));
    for (k = 1, n, same(Str("reduced dry", i, ",", k), printed_dry[k] * R[k][i], reduced_dry[i][k])));
  print(if (failed, "NOT the equations of this chain", "these are the equations of this chain"));
};
