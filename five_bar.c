/* five_bar (model 3c7ed0879c43933f), made by qddot export 0.2.0 */
#include "five_bar.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef QDDOT_VECTOR
#ifdef __AVX512F__
#define QDDOT_VECTOR 64
#else
#define QDDOT_VECTOR 32
#endif
#endif
#if QDDOT_VECTOR >= 64 && defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8
#pragma GCC target("prefer-vector-width=512") /* GCC would use 256 bits */
#endif
#ifndef QDDOT_INLINE
#if defined(__GNUC__)
#define QDDOT_INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define QDDOT_INLINE static __forceinline
#else
#define QDDOT_INLINE static inline
#endif
#endif

/* states of a batch that are computed at once */
enum { five_bar_lanes = QDDOT_VECTOR / sizeof(double) };

#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(_M_FP_FAST)
#define QDDOT_LOOSE
#elif defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD > 64)
#define QDDOT_LOOSE
#endif
#ifdef QDDOT_LOOSE
QDDOT_INLINE void five_bar_sincos(size_t count, const double *QDDOT_RESTRICT angles, double *QDDOT_RESTRICT sines, double *QDDOT_RESTRICT cosines) {
    for (size_t i = 0; i < count; i++) {
        sines[i] = sin(angles[i]);
        cosines[i] = cos(angles[i]);
    }
}
#else
/* An angle is reduced by the nearest multiple of pi/2, k pi/2; k is in the low bits of a sum. The polynomials are those
 * of fdlibm's kernels (Sun Microsystems, 1993). */
#if defined(FP_FAST_FMA) || defined(__FMA__) || defined(__aarch64__)
#define QDDOT_FMA(a, b, c) fma(a, b, c)
#define QDDOT_LARGEST 1000000000.0
#define QDDOT_REDUCED(x, k) QDDOT_FMA(k, 1.4973849048591833e-33, QDDOT_FMA(k, -6.123233995736766e-17, QDDOT_FMA(k, -1.5707963267948966, x)))
#else
#define QDDOT_FMA(a, b, c) ((a) * (b) + (c))
#define QDDOT_LARGEST 1000000.0
#define QDDOT_REDUCED(x, k) QDDOT_FMA(k, -8.4784276603689e-32, QDDOT_FMA(k, -2.0222662487111665e-21, QDDOT_FMA(k, -6.077100506303966e-11, QDDOT_FMA(k, -1.5707963267341256, x))))
#endif
QDDOT_INLINE void five_bar_sincos(size_t count, const double *QDDOT_RESTRICT angles, double *QDDOT_RESTRICT sines, double *QDDOT_RESTRICT cosines) {
    const double largest = QDDOT_LARGEST;
    uint64_t bound, far = 0;
    memcpy(&bound, &largest, sizeof bound);
    for (size_t i = 0; i < count; i++) {
        const double sum = QDDOT_FMA(angles[i], 0.6366197723675814, 6755399441055744.0);
        const double k = sum - 6755399441055744.0;
        const double r = QDDOT_REDUCED(angles[i], k);
        const double z = r * r;
        double s = 1.58969099521155e-10;
        s = QDDOT_FMA(s, z, -2.5050760253406863e-08);
        s = QDDOT_FMA(s, z, 2.7557313707070068e-06);
        s = QDDOT_FMA(s, z, -0.0001984126982985795);
        s = QDDOT_FMA(s, z, 0.00833333333332249);
        s = QDDOT_FMA(s, z, -0.16666666666666632);
        s = QDDOT_FMA(s, z * r, r);
        double c = -1.1359647557788195e-11;
        c = QDDOT_FMA(c, z, 2.087572321298175e-09);
        c = QDDOT_FMA(c, z, -2.7557314351390663e-07);
        c = QDDOT_FMA(c, z, 2.480158728947673e-05);
        c = QDDOT_FMA(c, z, -0.001388888888887411);
        c = QDDOT_FMA(c, z, 0.0416666666666666);
        c = QDDOT_FMA(z * z, c, QDDOT_FMA(z, -0.5, 1.0));
        uint64_t angle, quadrant, sine, cosine;
        memcpy(&angle, &angles[i], sizeof angle);
        memcpy(&quadrant, &sum, sizeof quadrant);
        const double s_or_c = quadrant & 1 ? c : s, c_or_s = quadrant & 1 ? s : c;
        memcpy(&sine, &s_or_c, sizeof sine);
        memcpy(&cosine, &c_or_s, sizeof cosine);
        sine ^= (quadrant & 2) << 62;
        cosine ^= ((quadrant + 1) & 2) << 62;
        memcpy(&sines[i], &sine, sizeof sine);
        memcpy(&cosines[i], &cosine, sizeof cosine);
        far |= bound - (angle & INT64_MAX); /* its top bit is set if the angle is larger */
    }
    if (far >> 63)
        for (size_t i = 0; i < count; i++)
            if (!(fabs(angles[i]) <= largest)) {
                sines[i] = sin(angles[i]);
                cosines[i] = cos(angles[i]);
            }
}
#endif

QDDOT_INLINE void five_bar_columns(size_t size, const double *QDDOT_RESTRICT rows, double *QDDOT_RESTRICT columns) {
    for (size_t lane = 0; lane < five_bar_lanes; lane++)
        for (size_t k = 0; k < size; k++)
            columns[k * five_bar_lanes + lane] = rows[lane * size + k];
}

QDDOT_INLINE void five_bar_rows(size_t size, const double *QDDOT_RESTRICT columns, double *QDDOT_RESTRICT rows) {
    for (size_t lane = 0; lane < five_bar_lanes; lane++)
        for (size_t k = 0; k < size; k++)
            rows[lane * size + k] = columns[k * five_bar_lanes + lane];
}

QDDOT_INLINE void five_bar_inverse_dynamics_angles(size_t stride, const double *q, double *angles) {
    angles[0 * stride] = q[0 * stride];
    angles[1 * stride] = q[1 * stride];
    angles[2 * stride] = q[2 * stride];
    angles[3 * stride] = q[3 * stride];
}

QDDOT_INLINE void five_bar_inverse_dynamics_rest(size_t stride, const double *qd, const double *qdd, const double *sines, const double *cosines, double *tau_out, double *regularity_out) {
    const double t11 = 9.81 * sines[2 * stride];
    const double t12 = qd[2 * stride] * 0.3;
    const double t13 = qd[2 * stride] * t12;
    const double t14 = t11 - t13;
    const double t17 = 9.81 * cosines[2 * stride];
    const double t18 = qdd[2 * stride] * 0.3;
    const double t19 = t17 + t18;
    const double t21 = t19 * cosines[3 * stride];
    const double t22 = t14 * sines[3 * stride];
    const double t23 = t21 - t22;
    const double t25 = qdd[2 * stride] + qdd[3 * stride];
    const double t27 = t25 * 0.05450000000000001;
    const double t28 = t23 * 0.18000000000000002;
    const double t29 = t27 + t28;
    const double t30 = sines[3 * stride] * cosines[2 * stride];
    const double t31 = sines[2 * stride] * cosines[3 * stride];
    const double t32 = t30 + t31;
    const double t34 = t32 * 0.45;
    const double t35 = 0.3 * sines[2 * stride];
    const double t36 = t34 + t35;
    const double t41 = cosines[1 * stride] * cosines[0 * stride];
    const double t42 = sines[1 * stride] * sines[0 * stride];
    const double t43 = t41 - t42;
    const double t44 = 0.45 * t43;
    const double t45 = 0.3 * cosines[0 * stride];
    const double t46 = t44 + t45;
    const double t47 = cosines[2 * stride] * cosines[3 * stride];
    const double t48 = sines[2 * stride] * sines[3 * stride];
    const double t49 = t47 - t48;
    const double t50 = 0.45 * t49;
    const double t52 = 0.3 * cosines[2 * stride];
    const double t53 = t50 + t52;
    const double t54 = sines[1 * stride] * cosines[0 * stride];
    const double t55 = sines[0 * stride] * cosines[1 * stride];
    const double t56 = t54 + t55;
    const double t57 = 0.45 * t56;
    const double t58 = 0.3 * sines[0 * stride];
    const double t59 = t57 + t58;
    const double t60 = t53 * t59;
    const double t61 = t36 * t46;
    const double t62 = t60 - t61;
    const double t63 = t34 * t53;
    const double t64 = t36 * t50;
    const double t65 = t63 - t64;
    const double t66 = 1.0 / t65;
    const double t68 = t23 * 0.8;
    const double t69 = 0.18000000000000002 * t25;
    const double t70 = t68 + t69;
    const double t71 = qd[2 * stride] + qd[3 * stride];
    const double t72 = t14 * cosines[3 * stride];
    const double t73 = sines[3 * stride] * t19;
    const double t74 = t72 + t73;
    const double t75 = 0.8 * t74;
    const double t76 = 0.18000000000000002 * t71;
    const double t77 = t71 * t76;
    const double t78 = t75 - t77;
    const double t79 = sines[3 * stride] * t78;
    const double t80 = cosines[3 * stride] * t70;
    const double t81 = t79 + t80;
    const double t84 = qdd[2 * stride] * 0.0305;
    const double t85 = t17 * 0.15;
    const double t86 = 0.3 * t81;
    const double t87 = t29 + t84;
    const double t88 = t85 + t87;
    const double t89 = t86 + t88;
    const double t90 = t34 * t46;
    const double t91 = t50 * t59;
    const double t92 = t90 - t91;
    const double t93 = qdd[0 * stride] + qdd[1 * stride];
    const double t94 = 9.81 * sines[0 * stride];
    const double t95 = qd[0 * stride] * 0.3;
    const double t96 = qd[0 * stride] * t95;
    const double t97 = t94 - t96;
    const double t98 = 9.81 * cosines[0 * stride];
    const double t99 = qdd[0 * stride] * 0.3;
    const double t100 = t98 + t99;
    const double t101 = cosines[1 * stride] * t100;
    const double t102 = sines[1 * stride] * t97;
    const double t103 = t101 - t102;
    const double t104 = 0.8 * t103;
    const double t105 = 0.18000000000000002 * t93;
    const double t106 = t104 + t105;
    const double t107 = qd[0 * stride] + qd[1 * stride];
    const double t108 = cosines[1 * stride] * t97;
    const double t109 = sines[1 * stride] * t100;
    const double t110 = t108 + t109;
    const double t111 = 0.8 * t110;
    const double t112 = 0.18000000000000002 * t107;
    const double t113 = t107 * t112;
    const double t114 = t111 - t113;
    const double t115 = sines[1 * stride] * t114;
    const double t116 = cosines[1 * stride] * t106;
    const double t117 = t115 + t116;
    const double t118 = 0.05450000000000001 * t93;
    const double t119 = 0.18000000000000002 * t103;
    const double t120 = t118 + t119;
    const double t121 = t89 * t92;
    const double t122 = t29 * t62;
    const double t123 = t121 + t122;
    const double t124 = t66 * t123;
    const double t125 = qdd[0 * stride] * 0.0305;
    const double t126 = 0.15 * t98;
    const double t127 = 0.3 * t117;
    const double t128 = t120 + t125;
    const double t129 = t126 + t128;
    const double t130 = t127 + t129;
    const double t131 = t124 + t130;
    const double t132 = t53 * t57;
    const double t133 = t36 * t44;
    const double t134 = t132 - t133;
    const double t135 = t34 * t44;
    const double t136 = t50 * t57;
    const double t137 = t135 - t136;
    const double t138 = t89 * t137;
    const double t139 = t29 * t134;
    const double t140 = t138 + t139;
    const double t141 = t66 * t140;
    const double t142 = t120 + t141;
    const double t144 = t46 * t46;
    const double t145 = t44 * t44;
    const double t146 = t53 * t53;
    const double t147 = t50 * t50;
    const double t148 = t144 + t145;
    const double t149 = t146 + t148;
    const double t150 = t147 + t149;
    const double t151 = t59 * t59;
    const double t152 = t57 * t57;
    const double t153 = t36 * t36;
    const double t154 = t34 * t34;
    const double t155 = t151 + t152;
    const double t156 = t153 + t155;
    const double t157 = t154 + t156;
    const double t158 = t65 * t65;
    const double t159 = 1e-24 * t150;
    const double t160 = t157 * t159;
    const double t161 = t158 - t160;
    tau_out[0 * stride] = t131;
    tau_out[1 * stride] = t142;
    regularity_out[0 * stride] = t161;
}

void five_bar_inverse_dynamics(const double q[4], const double qd[4], const double qdd[4], double tau_out[2], double regularity_out[1]) {
    double angles[4], sines[4], cosines[4];
    five_bar_inverse_dynamics_angles(1, q, angles);
    five_bar_sincos(4, angles, sines, cosines);
    five_bar_inverse_dynamics_rest(1, qd, qdd, sines, cosines, tau_out, regularity_out);
}

void five_bar_inverse_dynamics_batch(size_t states, const double *QDDOT_RESTRICT q, const double *QDDOT_RESTRICT qd, const double *QDDOT_RESTRICT qdd, double *QDDOT_RESTRICT tau_out, double *QDDOT_RESTRICT regularity_out) {
    for (; states >= five_bar_lanes; states -= five_bar_lanes) {
        double inputs[12 * five_bar_lanes];
        double outputs[3 * five_bar_lanes];
        five_bar_columns(4, q, inputs + 0 * five_bar_lanes);
        five_bar_columns(4, qd, inputs + 4 * five_bar_lanes);
        five_bar_columns(4, qdd, inputs + 8 * five_bar_lanes);
        double angles[4 * five_bar_lanes], sines[4 * five_bar_lanes], cosines[4 * five_bar_lanes];
        for (size_t lane = 0; lane < five_bar_lanes; lane++)
            five_bar_inverse_dynamics_angles(five_bar_lanes, inputs + 0 * five_bar_lanes + lane, angles + lane);
        five_bar_sincos(4 * five_bar_lanes, angles, sines, cosines);
        for (size_t lane = 0; lane < five_bar_lanes; lane++)
            five_bar_inverse_dynamics_rest(five_bar_lanes, inputs + 4 * five_bar_lanes + lane, inputs + 8 * five_bar_lanes + lane, sines + lane, cosines + lane, outputs + 0 * five_bar_lanes + lane, outputs + 2 * five_bar_lanes + lane);
        five_bar_rows(2, outputs + 0 * five_bar_lanes, tau_out);
        five_bar_rows(1, outputs + 2 * five_bar_lanes, regularity_out);
        q += 4 * five_bar_lanes;
        qd += 4 * five_bar_lanes;
        qdd += 4 * five_bar_lanes;
        tau_out += 2 * five_bar_lanes;
        regularity_out += 1 * five_bar_lanes;
    }
    for (; states > 0; states--) {
        five_bar_inverse_dynamics(q, qd, qdd, tau_out, regularity_out);
        q += 4;
        qd += 4;
        qdd += 4;
        tau_out += 2;
        regularity_out += 1;
    }
}

#ifdef QDDOT_SELFTEST
#include <stdio.h>

enum { five_bar_many = 3 * five_bar_lanes + 1 };

static int five_bar_wrong(size_t count, const double *values, size_t given, const double *right) {
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const double due = right[i % given];
        wrong += !(fabs(values[i] - due) <= 1e-12 * (1 + fabs(due)));
    }
    return wrong;
}

int main(void) {
    int wrong = 0;
    {
        const double q[] = {0.236, -0.528, 0.708, -0.056, -0.931, 0.305, -0.459, 0.777, -0.098, -0.862, 0.374, -0.39};
        static double rows0[4 * five_bar_many];
        for (size_t i = 0; i < 4 * five_bar_many; i++)
            rows0[i] = q[i % 12];
        const double qd[] = {-0.82, 0.416, -0.348, 0.889, 0.013, -0.751, 0.485, -0.279, 0.846, 0.082, -0.682, 0.554};
        static double rows1[4 * five_bar_many];
        for (size_t i = 0; i < 4 * five_bar_many; i++)
            rows1[i] = qd[i % 12];
        const double qdd[] = {0.125, -0.639, 0.597, -0.167, 0.957, 0.193, -0.57, 0.666, -0.21, -0.974, 0.262, -0.502};
        static double rows2[4 * five_bar_many];
        for (size_t i = 0; i < 4 * five_bar_many; i++)
            rows2[i] = qdd[i % 12];
        const double tau_right[] = {-51.338149424151574, -41.35213026038204, 13.267998888959161, 6.992502940493773, -1.618284897757118, -6.027463814320879};
        static double tau_out[2 * five_bar_many];
        const double regularity_right[] = {5.709388041239836e-05, 0.008959450668611044, 0.0026343003848631227};
        static double regularity_out[1 * five_bar_many];
        for (size_t i = 0; i < 3; i++)
            five_bar_inverse_dynamics(rows0 + 4 * i, rows1 + 4 * i, rows2 + 4 * i, tau_out + 2 * i, regularity_out + 1 * i);
        wrong += five_bar_wrong(2 * 3, tau_out, 6, tau_right);
        wrong += five_bar_wrong(1 * 3, regularity_out, 3, regularity_right);
        for (size_t states = 0; states <= five_bar_many; states++) {
            five_bar_inverse_dynamics_batch(states, rows0, rows1, rows2, tau_out, regularity_out);
            wrong += five_bar_wrong(2 * states, tau_out, 6, tau_right);
            wrong += five_bar_wrong(1 * states, regularity_out, 3, regularity_right);
        }
    }
    printf(wrong ? "five_bar: %d values are wrong\n" : "five_bar: all values are right\n", wrong);
    return wrong != 0;
}
#endif
