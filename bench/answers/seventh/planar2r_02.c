#include <math.h>

/* torque of the shoulder; q1, q2 joint angles [rad], w joint rates, a joint accelerations;
   centres of mass half way along the links, I1zz and I2zz about them */
float tau1(float q1, float q2, float w1, float w2, float a1, float a2)
{
    float c2 = cosf(q2), s2 = sinf(q2);
    float M11 = I1zz + I2zz + 0.25f*m1*l1*l1 + m2*(l1*l1 + 0.25f*l2*l2 + l1*l2*c2);
    float M12 = I2zz + m2*(0.25f*l2*l2 + 0.5f*l1*l2*c2);
    float h1  = -0.5f*m2*l1*l2*s2*(2.0f*w1*w2 + w2*w2);
    float G1  = (0.5f*m1 + m2)*g*l1*cosf(q1);
    return M11*a1 + M12*a2 + h1 + G1;
}
