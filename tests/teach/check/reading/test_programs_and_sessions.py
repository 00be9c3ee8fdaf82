"""Python classes, Julia and Fortran functions, Modelica models and the windows of programs are read."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_twins

ANSWERS = [  # arm, suffix, a right answer, and what is changed in it to make it wrong
    (
        "two_link",
        ".py",
        """import numpy as np

class TwoLink:
    def __init__(self, m1=2.0, m2=1.5, l=0.5, g=9.81):
        self.m1, self.m2, self.l, self.g = m1, m2, l, g

    def M(self, q):
        c2 = np.cos(q[1])
        a = self.m2*self.l**2*(1/3 + c2/2)
        return np.array([[self.m1*self.l**2/3 + self.m2*self.l**2*(4/3 + c2), a],
                         [a, self.m2*self.l**2/3]])

    def C(self, q, dq):
        h = self.m2*self.l**2*np.sin(q[1])/2
        return np.array([[-h*dq[1], -h*(dq[0] + dq[1])],
                         [h*dq[0], 0.0]])

    def G(self, q):
        return np.array([(self.m1/2 + self.m2)*self.g*self.l*np.cos(q[0]) + self.m2/2*self.g*self.l*np.cos(q[0]+q[1]),
                         self.m2/2*self.g*self.l*np.cos(q[0]+q[1])])
""",
        ("[h*dq[0], 0.0]", "[-h*dq[0], 0.0]"),
    ),
    (
        "planar_2r",
        ".py",
        """import casadi as ca
q = ca.SX.sym('q', 2)
m1, m2, l1, l2, g = ca.SX.sym('m1'), ca.SX.sym('m2'), ca.SX.sym('l1'), ca.SX.sym('l2'), ca.SX.sym('g')
y1 = l1/2*ca.sin(q[0])
y2 = l1*ca.sin(q[0]) + l2/2*ca.sin(q[0] + q[1])
P = m1*g*y1 + m2*g*y2
G = ca.jacobian(P, q).T
""",
        ("l2/2*ca", "l2*ca"),
    ),
    (
        "two_link",
        ".py",
        """import jax
import jax.numpy as jnp

def potential(q):
    return m1*g*l/2*jnp.sin(q[0]) + m2*g*(l*jnp.sin(q[0]) + l/2*jnp.sin(q[0] + q[1]))

G = jax.grad(potential)
""",
        ("m1*g*l/2", "m1*g*l"),
    ),
    (
        "rp",
        ".py",
        """from sympy import *
from sympy.physics.mechanics import dynamicsymbols, LagrangesMethod
q1, d2 = dynamicsymbols('q1 d2')
q1d, d2d = dynamicsymbols('q1 d2', 1)
T = (Izz1 + Izz2 + m1*l1**2 + m2*d2**2)*q1d**2/2 + m2*d2d**2/2
V = (m1*l1 + m2*d2)*g*sin(q1)
L = T - V
lm = LagrangesMethod(L, [q1, d2])
eqs = lm.form_lagranges_equations()
""",
        ("(m1*l1 + m2*d2)*g", "(m1*l1 - m2*d2)*g"),
    ),
    (
        "two_link",
        ".py",
        """# q[0], q[1] joint angles
M = np.zeros((2, 2))
M[0, 0] = m1*l**2/3 + m2*l**2*(4/3 + np.cos(q[1]))
M[0, 1] = M[1, 0] = m2*l**2*(1/3 + np.cos(q[1])/2)
M[1, 1] = m2*l**2/3
h = np.empty(2)
h[0] = -m2*l**2*np.sin(q[1])*(dq[0]*dq[1] + dq[1]**2/2)
h[1] = m2*l**2*np.sin(q[1])*dq[0]**2/2
G = np.zeros(2)
G[0] = m1*g*l/2*np.cos(q[0]) + m2*g*(l*np.cos(q[0]) + l/2*np.cos(q[0]+q[1]))
G[1] = m2*g*l/2*np.cos(q[0]+q[1])
""",
        ("h[1] = m2", "h[1] = -m2"),
    ),
    (
        "two_link",
        ".py",
        """def G2(q1: float, q2: float) -> float:
    return 0.5 * m2 * g * l * math.cos(q1 + q2)""",
        ("0.5 *", "1.0 *"),
    ),
    (
        "two_link",
        ".jl",
        """function mass_matrix(q)
    c2 = cos(q[2])
    [m1*l^2/3 + m2*l^2*(4/3 + c2)  m2*l^2*(1/3 + c2/2)
     m2*l^2*(1/3 + c2/2)           m2*l^2/3]
end""",
        ("4/3", "5/3"),
    ),
    (
        "rp",
        ".jl",
        """@variables t q1(t) d2(t)
D = Differential(t)
tau1 = (Izz1 + Izz2 + m1*l1^2 + m2*d2^2)*D(D(q1)) + 2m2*d2*D(d2)*D(q1) + (m1*l1 + m2*d2)*g*cos(q1)
tau2 = m2*D(D(d2)) - m2*d2*D(q1)^2 + m2*g*sin(q1)""",
        ("2m2", "m2"),
    ),
    (
        "two_link",
        ".f90",
        """! mass matrix of the two rods
subroutine massmatrix(q, M)
  implicit none
  real(8), intent(in)  :: q(2)
  real(8), intent(out) :: M(2,2)
  real(8) :: c2
  c2 = cos(q(2))
  M(1,1) = m1*l**2/3d0 + m2*l**2*(4d0/3d0 + c2)
  M(1,2) = m2*l**2*(1d0/3d0 + 0.5d0*c2)
  M(2,1) = M(1,2)
  M(2,2) = m2*l**2/3d0
end subroutine massmatrix""",
        ("4d0/3d0", "1d0/3d0"),
    ),
    (
        "rp",
        ".f90",
        """pure function tau(q, qd, qdd) result(t)
  real, intent(in) :: q(2), qd(2), qdd(2)
  real :: t(2)
  t(1) = (Izz1 + Izz2 + m1*l1**2 + m2*q(2)**2)*qdd(1) &
       + 2.0*m2*q(2)*qd(2)*qd(1) &
       + (m1*l1 + m2*q(2))*g*cos(q(1))
  t(2) = m2*qdd(2) - m2*q(2)*qd(1)**2 + m2*g*sin(q(1))
end function""",
        ("2.0*m2", "m2"),
    ),
    (
        "rp",
        ".m",
        """syms q1 d2 q1d d2d real
K = 1/2*(Izz1+Izz2+m1*l1^2+m2*d2^2)*q1d^2 + 1/2*m2*d2d^2;
q = [q1 d2]; qd = [q1d d2d];
M = simplify(hessian(K, qd));
h = jacobian(jacobian(K,qd).', q)*qd.' - jacobian(K,q).';""",
        ("+ 1/2*m2*d2d^2", "+ m2*d2d^2"),
    ),
    (
        "cart_pole",
        ".m",
        """function dx = cartpole(x, u)
  s = sin(x(2)); c = cos(x(2));
  dx = zeros(4,1);
  dx(1) = x(3);
  dx(2) = x(4);
  dx(3) = (u + mp*s*(l*x(4)^2 + g*c))/(mc + mp*s^2);
  dx(4) = (-u*c - mp*l*x(4)^2*c*s - (mc+mp)*g*s)/(l*(mc + mp*s^2));
end""",
        ("(-u*c - mp", "(-u*c + mp"),
    ),
    (
        "one_link",
        ".m",
        """>> syms q(t) m l g
>> Dq = diff(q,t);
>> L = m*l^2*Dq^2/2 - m*g*l*sin(q);
>> tau = simplify(diff(m*l^2*Dq, t) + m*g*l*cos(q))

tau(t) =

m*l*(g*cos(q(t)) + l*diff(q(t), t, t))
""",
        ("(g*cos(q(t)) +", "(-g*cos(q(t)) +"),
    ),
    (
        "two_link",
        ".mpl",
        """M := <<m1*l^2/3 + m2*l^2*(4/3 + cos(q2)), m2*l^2*(1/3+cos(q2)/2)> | <m2*l^2*(1/3+cos(q2)/2), m2*l^2/3>>;""",
        ("4/3", "1/3"),
    ),
    (
        "two_link",
        ".mac",
        """(%i1) V: m1*g*l/2*sin(q1) + m2*g*(l*sin(q1) + l/2*sin(q1+q2))$
(%i2) G1: diff(V,q1);
(%o2) (g*l*m2*cos(q2+q1))/2+g*l*m2*cos(q1)+(g*l*m1*cos(q1))/2
(%i3) G2: diff(V,q2);
(%o3) (g*l*m2*cos(q2+q1))/2""",
        ("m1*g*l/2*sin", "m1*g*l*sin"),
    ),
    (
        "rp",
        ".mo",
        """model RP "turning and sliding"
  Real q1(start=0), d2(start=0.5);
  Real w(start=0) = der(q1), u = der(d2);
  Modelica.Blocks.Interfaces.RealInput tau1, tau2;
equation
  (Izz1 + Izz2 + m1*l1^2 + m2*d2^2)*der(w) + 2*m2*d2*u*w + (m1*l1 + m2*d2)*g*cos(q1) = tau1;
  m2*der(u) - m2*d2*w^2 + m2*g*sin(q1) = tau2;
end RP;""",
        ("2*m2*d2", "m2*d2"),
    ),
]


@pytest.mark.parametrize(("arm", "suffix", "text", "change"), ANSWERS)
def test_a_right_one_is_accepted_and_a_wrong_one_is_not(
    arm: str, suffix: str, text: str, change: tuple[str, str], tmp_path: Path
) -> None:
    assert_twins(arm, suffix, text, change, tmp_path)
