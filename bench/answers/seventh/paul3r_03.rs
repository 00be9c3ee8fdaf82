/// Mass matrix of the planar three-link arm, point masses at the link ends.
/// `q` are the relative joint angles, `m` and `a` the masses and lengths (index 0 is link 1).
pub fn mass_matrix(q: [f64; 3], m: [f64; 3], a: [f64; 3]) -> [[f64; 3]; 3] {
    let (m1, m2, m3) = (m[0], m[1], m[2]);
    let (a1, a2, a3) = (a[0], a[1], a[2]);
    let c2 = q[1].cos();
    let c3 = q[2].cos();
    let c23 = (q[1] + q[2]).cos();

    let m33 = m3 * a3 * a3;
    let m23 = m33 + m3 * a2 * a3 * c3;
    let m13 = m23 + m3 * a1 * a3 * c23;
    let m22 = (m2 + m3) * a2 * a2 + m33 + 2.0 * m3 * a2 * a3 * c3;
    let m12 = m22 + (m2 + m3) * a1 * a2 * c2 + m3 * a1 * a3 * c23;
    let m11 = (m1 + m2 + m3) * a1 * a1 + m22 + 2.0 * (m2 + m3) * a1 * a2 * c2 + 2.0 * m3 * a1 * a3 * c23;

    [[m11, m12, m13], [m12, m22, m23], [m13, m23, m33]]
}
