import sympy as sp

q1, q2 = sp.symbols('q1 q2')
par = dict(zip(['m1', 'm2', 'l1', 'l2', 'lc1', 'lc2', 'I1', 'I2'],
               sp.symbols('m1 m2 l1 l2 lc1 lc2 I1 I2', positive=True)))

res = {}
res['M22'] = par['m2']*par['lc2']**2 + par['I2']
res['M12'] = par['m2']*(par['lc2']**2 + par['l1']*par['lc2']*sp.cos(q2))
res['M21'] = res['M12']
res['M11'] = (par['m1']*par['lc1']**2 + par['I1'] + par['I2']
              + par['m2']*(par['l1']**2 + par['lc2']**2 + 2*par['l1']*par['lc2']*sp.cos(q2)))

for name, expr in sorted(res.items()):
    print(name, '=', expr)
