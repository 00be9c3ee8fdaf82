"""What each step of a route is, in English and Chinese: its law, in front of its equations."""

from __future__ import annotations

STEPS: dict[str, tuple[str, str]] = {
    "Q": (
        "A joint's transform has the derivative ∂T/∂q = Q T; Q is its axis as a 4×4 matrix, in the parent's frame:",
        "关节变换矩阵的导数为 ∂T/∂q = Q T，其中 Q 为父坐标系中以 4×4 矩阵表示的关节轴：",
    ),
    "U": (
        "U_ij = ∂T_i/∂q_j is the product of the transforms with Q_j in the place of joint j:",
        "U_ij = ∂T_i/∂q_j，即在关节 j 处插入 Q_j 的变换矩阵之积：",
    ),
    "U_ijk": (
        "The second derivatives U_ijk = ∂U_ij/∂q_k do not depend on the order of j and k:",
        "二阶导数 U_ijk = ∂U_ij/∂q_k，与 j、k 的次序无关：",
    ),
    "pseudo_inertia": (
        "The pseudo-inertia J̄ = ∫ r rᵀ dm of each link, r in homogeneous coordinates of its frame, is",
        "各连杆的伪惯性矩阵 J̄ = ∫ r rᵀ dm（r 为连杆坐标系中的齐次坐标）为",
    ),
    "h_ikm": (
        "From M_ik = Σ_j Tr(U_jk J̄_j U_jiᵀ) follow the velocity coefficients h_ikm = Σ_j Tr(U_jkm J̄_j U_jiᵀ):",
        "由 M_ik = Σ_j Tr(U_jk J̄_j U_jiᵀ) 得速度项系数 h_ikm = Σ_j Tr(U_jkm J̄_j U_jiᵀ)：",
    ),
    "Jv": (
        "The linear Jacobians of centres of mass have columns z × (p_c − o) of turning joints and z of sliding ones:",
        "质心线速度雅可比矩阵的列：转动关节为 z × (p_c − o)，移动关节为 z：",
    ),
    "Jw": (
        "The angular Jacobians have the columns z of turning joints and 0 of sliding ones:",
        "角速度雅可比矩阵的列：转动关节为 z，移动关节为 0：",
    ),
    "m_ijk": (
        "With M = Σ (m JvᵀJv + JωᵀR I_c Rᵀ Jω), the derivatives m_ijk = ∂M_ij/∂q_k are",
        "由 M = Σ (m JvᵀJv + JωᵀR I_c Rᵀ Jω)，其导数 m_ijk = ∂M_ij/∂q_k 为",
    ),
    "b_ijk": (
        "The Christoffel symbols are b_ijk = ½ (m_ijk + m_ikj − m_jki):",
        "克里斯托费尔符号 b_ijk = ½ (m_ijk + m_ikj − m_jki)：",
    ),
    "composite.S": (
        "The joints' unit twists S along their links' axes, angular part first, are",
        "各关节的单位运动旋量 S（沿连杆坐标轴，先角速度部分）为",
    ),
    "S": (
        "The screw axes S of the joints in the base frame at q = 0, angular part first, are",
        "q = 0 时各关节在基座坐标系中的旋量轴 S（先角速度部分）为",
    ),
    "M_home": (
        "At q = 0 the links' frames are at",
        "q = 0 时各连杆坐标系的位姿为",
    ),
    "B_body": (
        "Seen from each link's own frame at q = 0, the axes are B = Ad(M⁻¹) S:",
        "在 q = 0 时各连杆自身坐标系中，旋量轴为 B = Ad(M⁻¹) S：",
    ),
    "J_body": (
        "The exponentials of the outer joints carry them into the body Jacobians:",
        "经外侧关节的指数映射得物体雅可比矩阵：",
    ),
    "spatial_inertia": (
        "The spatial inertias of the links, angular part first, are",
        "各连杆的空间惯性矩阵（先角速度部分）为",
    ),
    "L": ("The Lagrangian is L = K − P:", "拉格朗日函数 L = K − P："),
    "dL_dqd": (
        "Its derivatives by the rates are the momenta:",
        "对关节速度的偏导数为广义动量：",
    ),
    "dL_dq": (
        "Its derivatives by the coordinates are subtracted from the momenta's rates, τ = d/dt ∂L/∂q̇ − ∂L/∂q:",
        "对关节坐标的偏导数由 τ = d/dt ∂L/∂q̇ − ∂L/∂q 从动量变化率中减去：",
    ),
    "w": (
        "Outward from the base, the angular velocities of the links along their own axes are",
        "由基座向外递推，各连杆角速度（沿自身坐标轴）为",
    ),
    "dw": ("The angular accelerations are", "角加速度为"),
    "a": (
        "The accelerations of the frames' origins, with gravity as an upward acceleration of the base, are",
        "各坐标系原点的加速度（以基座向上的加速度代替重力）为",
    ),
    "F": ("Newton's law gives the forces that the links' motion takes:", "由牛顿方程得各连杆运动所需的力："),
    "N": (
        "Euler's law gives the moments that it takes, about the frames' origins:",
        "由欧拉方程得所需的力矩（对坐标系原点）：",
    ),
    "f": ("Inward from the tip, the forces through the joints add up to", "由末端向内递推，各关节传递的力为"),
    "n": ("and the moments to", "力矩为"),
    "composite_inertia": (
        "Each joint carries all bodies beyond it as one: the composite spatial inertias, along each link's axes, are",
        "各关节带动其外侧全部刚体，其组合空间惯性（沿各连杆坐标轴）为",
    ),
}
