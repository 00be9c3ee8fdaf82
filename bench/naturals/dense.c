/* A tree of bodies by d'Alembert's principle, in the world's axes: every body's Jacobian at its origin, written out.

   M = Σ Jᵀ I J and c = Σ Jᵀ (inertia times the acceleration at q̈ = 0, gyroscopic terms, minus weight).
   Quaternions are (w, x, y, z) of R_parent,body; velocities of spherical and free joints are along the body's axes. */

#include <math.h>
#include <string.h>

enum { FIXED, REVOLUTE, PRISMATIC, SPHERICAL, FREE };

typedef struct {
    long parent, type, q, v; /* indices; the base is -1 */
    double place_R[9], place_p[3], offset_R[9], offset_p[3], axis[3], ratio, m, h[3], I[9];
} Body;

typedef struct {
    double R[9], p[3], v[3], w[3], a[3], dw[3]; /* a and dw at q̈ = 0 */
} State;

static void product(const double *A, const double *B, double *C) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

static void apply(const double *A, const double *x, double *y) {
    for (int i = 0; i < 3; i++) y[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

static void add_cross(const double *a, const double *b, double by, double *c) { /* c += by a × b */
    c[0] += by * (a[1] * b[2] - a[2] * b[1]);
    c[1] += by * (a[2] * b[0] - a[0] * b[2]);
    c[2] += by * (a[0] * b[1] - a[1] * b[0]);
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void about(const double *u, double angle, double *R) { /* Rodrigues' formula */
    double s = sin(angle), half = sin(angle / 2), k = 2 * half * half;
    double K[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0}, KK[9];
    product(K, K, KK);
    for (int i = 0; i < 9; i++) R[i] = (i % 4 == 0) + s * K[i] + k * KK[i];
}

static void of_quaternion(const double *e, double *R) { /* of its direction: a stage of a step is not quite unit */
    double w = e[0], K[9] = {0, -e[3], e[2], e[3], 0, -e[1], -e[2], e[1], 0}, KK[9];
    double square = w * w + dot(e + 1, e + 1);
    product(K, K, KK);
    for (int i = 0; i < 9; i++) R[i] = (i % 4 == 0) + 2 * (w * K[i] + KK[i]) / square;
}

/* Moves the point of reference by r: velocities, accelerations and columns. */
static void shift(State *s, const double *r, double *Jv, const double *Jw, long n) {
    double turn[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) s->p[i] += r[i];
    add_cross(s->w, r, 1, s->v);
    add_cross(s->w, r, 1, turn);
    add_cross(s->dw, r, 1, s->a);
    add_cross(s->w, turn, 1, s->a);
    for (long k = 0; k < n; k++) add_cross(Jw + 3 * k, r, 1, Jv + 3 * k);
}

void dense(long bodies, long n, const Body *body, const double *gravity, const double *q, const double *v, State *state,
           double *Jv, double *Jw, double *M, double *c) {
    memset(M, 0, sizeof(double) * n * n);
    memset(c, 0, sizeof(double) * n);
    for (long b = 0; b < bodies; b++) {
        const Body *own = body + b;
        State *s = state + b;
        double *jv = Jv + 3 * n * b, *jw = Jw + 3 * n * b, R[9], r[3], u[3], turned[9];
        if (own->parent < 0) {
            memset(s, 0, sizeof *s);
            s->R[0] = s->R[4] = s->R[8] = 1;
            memset(jv, 0, sizeof(double) * 3 * n);
            memset(jw, 0, sizeof(double) * 3 * n);
        } else {
            *s = state[own->parent];
            memcpy(jv, Jv + 3 * n * own->parent, sizeof(double) * 3 * n);
            memcpy(jw, Jw + 3 * n * own->parent, sizeof(double) * 3 * n);
        }
        apply(s->R, own->place_p, r);
        shift(s, r, jv, jw, n);
        product(s->R, own->place_R, R);
        memcpy(s->R, R, sizeof R);
        if (own->type == REVOLUTE) {
            apply(s->R, own->axis, u);
            add_cross(s->w, u, own->ratio * v[own->v], s->dw);
            for (int i = 0; i < 3; i++) {
                s->w[i] += u[i] * own->ratio * v[own->v];
                jw[3 * own->v + i] += own->ratio * u[i];
            }
            about(own->axis, own->ratio * q[own->q], turned);
            product(s->R, turned, R);
            memcpy(s->R, R, sizeof R);
        } else if (own->type == PRISMATIC) {
            apply(s->R, own->axis, u);
            for (int i = 0; i < 3; i++) r[i] = u[i] * own->ratio * q[own->q];
            shift(s, r, jv, jw, n);
            add_cross(s->w, u, 2 * own->ratio * v[own->v], s->a);
            for (int i = 0; i < 3; i++) {
                s->v[i] += u[i] * own->ratio * v[own->v];
                jv[3 * own->v + i] += own->ratio * u[i];
            }
        } else if (own->type == SPHERICAL || own->type == FREE) {
            long slides = own->type == FREE ? 3 : 0;
            const double *nu = v + own->v, *e = q + own->q + slides;
            double V[3] = {0, 0, 0}, W[3];
            if (slides) {
                apply(s->R, q + own->q, r);
                shift(s, r, jv, jw, n);
            }
            of_quaternion(e, turned);
            product(s->R, turned, R);
            memcpy(s->R, R, sizeof R);
            apply(R, nu + slides, W);
            if (slides) apply(R, nu, V);
            add_cross(s->w, V, 2, s->a);
            add_cross(W, V, 1, s->a);
            add_cross(s->w, W, 1, s->dw);
            for (int i = 0; i < 3; i++) {
                s->v[i] += V[i];
                s->w[i] += W[i];
                for (int k = 0; k < 3; k++) {
                    if (slides) jv[3 * (own->v + k) + i] += R[3 * i + k];
                    jw[3 * (own->v + slides + k) + i] += R[3 * i + k];
                }
            }
        }
        apply(s->R, own->offset_p, r);
        shift(s, r, jv, jw, n);
        product(s->R, own->offset_R, R);
        memcpy(s->R, R, sizeof R);

        double h[3], RI[9], I[9], T[9], f[3], t[3] = {0, 0, 0}, pull[3], moment[3], Iw[3];
        apply(s->R, own->h, h);
        product(s->R, own->I, RI);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) T[3 * i + j] = s->R[3 * j + i];
        product(RI, T, I);
        for (int i = 0; i < 3; i++) pull[i] = s->a[i] - gravity[i];
        add_cross(s->w, h, 1, t);
        for (int i = 0; i < 3; i++) f[i] = own->m * pull[i];
        add_cross(s->dw, h, 1, f);
        add_cross(s->w, t, 1, f);
        apply(I, s->dw, moment);
        apply(I, s->w, Iw);
        add_cross(s->w, Iw, 1, moment);
        add_cross(h, pull, 1, moment);
        for (long k = 0; k < n; k++) {
            const double *vk = jv + 3 * k, *wk = jw + 3 * k;
            if (!(vk[0] || vk[1] || vk[2] || wk[0] || wk[1] || wk[2])) continue;
            c[k] += dot(vk, f) + dot(wk, moment);
            double fk[3] = {own->m * vk[0], own->m * vk[1], own->m * vk[2]}, nk[3];
            add_cross(wk, h, 1, fk);
            apply(I, wk, nk);
            add_cross(h, vk, 1, nk);
            for (long j = 0; j <= k; j++) M[n * k + j] += dot(jv + 3 * j, fk) + dot(jw + 3 * j, nk);
        }
    }
    for (long k = 0; k < n; k++)
        for (long j = 0; j < k; j++) M[n * j + k] = M[n * k + j];
}
