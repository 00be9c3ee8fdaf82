import sympy as sp
q = sp.symbols("q1:4")
sym = {n: sp.Symbol(n) for n in "m1 m2 m3 l0 l1 r0 r1 r2 g".split()}
# q2 and q3 are positive downward
z = {
    1: sym["r0"],
    2: sym["l0"] - sym["r1"]*sp.sin(q[1]),
    3: sym["l0"] - sym["l1"]*sp.sin(q[1]) - sym["r2"]*sp.sin(q[1] + q[2]),
}
P = sum(sym[f"m{i}"]*sym["g"]*z[i] for i in z)
G = [sp.simplify(P.diff(v)) for v in q]
