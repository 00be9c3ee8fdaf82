/* Derives M, Gamma and G from the description, and compares them with the printed ones:
   T is the product of the joints' transforms, K = 1/2 sum tr(T' J T'^t), P = - sum g T J e4. */
default(parisizemax, 8 * 10^9);
default(recover, 0); /* an error ends the script */
/* the remainder modulo sin^2 + cos^2 = 1 and root^2 = n */
reduced(p) = {
  for (k = 1, #sines, if (poldegree(p, sines[k]) > 1, p = divrem(p, sines[k]^2 + cosines[k]^2 - 1, sines[k])[2]));
  for (k = 1, #roots, if (poldegree(p, roots[k][1]) > 1, p = divrem(p, roots[k][1]^2 - roots[k][2], roots[k][1])[2]));
  p
};
slope(p, j) = {
  my(d = deriv(p, positions[j]));
  for (k = 1, #turning, if (turning[k][1] == j,
    d += turning[k][2] * (deriv(p, sines[k]) * cosines[k] - deriv(p, cosines[k]) * sines[k])));
  reduced(d)
};
times(A, B) = apply(reduced, A * B);
slopes(A, j) = apply(p -> slope(p, j), A);
unit(i, j) = i == j;
pose(rows) = matconcat([rows; [0, 0, 0, 1]]);
cross(u) = [0, -u[3], u[2]; u[3], 0, -u[1]; -u[2], u[1], 0];
turn(u, k, n) = {
  my(c = 1, s = 0);
  for (i = 1, n, [c, s] = [c * cosines[k] - s * sines[k], s * cosines[k] + c * sines[k]]);
  matconcat([c * matid(3) + s * cross(u) + (1 - c) * (u~ * u), [0, 0, 0]~; [0, 0, 0], 1])
};
slide(u, d) = matconcat([matid(3), d * u~; [0, 0, 0], 1]);
tensor(t) = [t[1], t[2], t[3]; t[2], t[4], t[5]; t[3], t[5], t[6]];
second(t) = trace(t) / 2 * matid(3) - t;
about_com(m, c, t) = matconcat([second(tensor(t)) + m * (c~ * c), m * c~; m * c, m]);
about_origin(m, h, t) = matconcat([second(tensor(t)), h~; h, m]);

failed = 0;
same(name, derived, printed) = {
  my(d = reduced(derived - printed));
  if (d != 0, failed = 1; print(name, " differs from the derived one, which is larger by ", d))
};
check() = {
  my(n = #positions, T = vector(#links), M = matrix(n, n), P = 0, U);
  for (l = 1, #links,
    my(parent = links[l][1], J = links[l][3]);
    T[l] = apply(reduced, links[l][2]);
    if (parent, T[l] = times(T[parent], T[l]));
    P -= gravity * (T[l] * J)[1..3, 4];
    U = vector(n, j, slopes(T[l], j));
    for (i = 1, n, if (U[i] != 0, my(UJ = times(U[i], J)); for (j = 1, i, if (U[j] != 0,
      M[i, j] += sum(a = 1, 4, sum(b = 1, 4, reduced(UJ[a, b] * U[j][a, b]))))))));
  for (i = 1, n, M[i, i] += joints[i][1]; P += joints[i][2] * (positions[i] - joints[i][3])^2 / 2);
  for (i = 1, n, for (j = 1, i, M[j, i] = M[i, j] = reduced(M[i, j]); same(Str("M", i, ",", j), M[i, j], printed_M[i][j])));
  for (i = 1, n, for (j = 1, n, for (k = 1, j,
    same(Str("Gamma", i, ",", j, ",", k), (slope(M[i, j], k) + slope(M[i, k], j) - slope(M[j, k], i)) / 2, printed_Gamma[i][j][k]))));
  for (i = 1, n, same(Str("G", i), slope(P, i), printed_G[i] + printed_springs[i]);
    same(Str("viscous", i), joints[i][4], printed_viscous[i]); same(Str("dry", i), joints[i][5], printed_dry[i]));
  print(if (failed, "NOT the equations of this description", "these are the equations of this description"));
};
