pure subroutine telescope(theta, r, w, v, alpha, a, J, m, g, tau1, tau2)
  ! theta: angle above the horizontal, r: distance of the load
  ! w, v: velocities of theta and r; alpha, a: accelerations of theta and r
  real(8), intent(in)  :: theta, r, w, v, alpha, a, J, m, g
  real(8), intent(out) :: tau1, tau2
  tau1 = (J + m*r**2)*alpha + m*r*v*w + m*g*r*cos(theta)
  tau2 = m*a - m*r*w**2 + m*g*cos(theta)
end subroutine telescope
