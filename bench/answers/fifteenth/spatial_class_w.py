import sympy as sp

class Arm:
    def __init__(self):
        self.q1, self.q2 = sp.symbols('q1 q2')
        self.m1, self.m2, self.L, self.Ia = sp.symbols('m1 m2 L Ia', positive=True)

    def mass_matrix(self):
        c2 = sp.cos(self.q2)
        rho = self.L + self.L/2*c2          # distance of the second centre from the axis
        M11 = self.m1*self.L**2/4 + self.m2*rho**2 + self.Ia + self.Ia*c2**2
        M22 = self.m2*self.L**2/4 + self.Ia
        return sp.Matrix([[M11, 0], [0, M22]])

M = Arm().mass_matrix()
