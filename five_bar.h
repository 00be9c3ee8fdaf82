/* five_bar (model 3c7ed0879c43933f), made by qddot export 0.2.0
 * Self-test: cc five_bar.c -DQDDOT_SELFTEST -lm && ./a.out
 *
 * A function computes one state, its batch any number: each array of a batch has one row per state,
 * row after row; results must not overlap other arrays; an argument without [size] in the
 * comment above its function is one number, the same for all states of a batch.
 * With cc -O3 -march=native, vectors of QDDOT_VECTOR bytes (32 or 64) hold several states. */
#ifndef QDDOT_FIVE_BAR_H
#define QDDOT_FIVE_BAR_H

#include <stddef.h>

#ifndef QDDOT_RESTRICT
#if defined(__GNUC__) || defined(_MSC_VER)
#define QDDOT_RESTRICT __restrict
#elif defined(__cplusplus)
#define QDDOT_RESTRICT
#else
#define QDDOT_RESTRICT restrict
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* inverse_dynamics
 *   regularity: positive where the independent coordinates determine the others; else results have no meaning
 *   in  q[4] [rad or m]
 *   in  qd[4] [rad/s or m/s]
 *   in  qdd[4] [rad/s^2 or m/s^2]
 *   out tau[2], row-major
 *   out regularity[1], row-major
 */
void five_bar_inverse_dynamics(const double q[4], const double qd[4], const double qdd[4], double tau_out[2], double regularity_out[1]);
void five_bar_inverse_dynamics_batch(size_t states, const double *QDDOT_RESTRICT q, const double *QDDOT_RESTRICT qd, const double *QDDOT_RESTRICT qdd, double *QDDOT_RESTRICT tau_out, double *QDDOT_RESTRICT regularity_out);

#ifdef __cplusplus
}
#endif

#endif
