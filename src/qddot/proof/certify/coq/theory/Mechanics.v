(* Lagrange's equations, skewness and power follow from K = 1/2 v M v, the symbols of Christoffel, and the slope of P. *)
From Coq Require Import ZArith List Reals Lra FunctionalExtensionality.
From Qddot Require Import Statement Polynomials.
Import ListNotations.
Open Scope R_scope.

Lemma sum_zero {X} (l : list X) : sum l (fun _ => 0) = 0.
Proof. unfold sum. induction l; simpl; [reflexivity | rewrite IHl; ring]. Qed.
Lemma sum_swap {X Y} (l : list X) (m : list Y) f : sum l (fun x => sum m (f x)) = sum m (fun y => sum l (fun x => f x y)).
Proof.
  induction l as [|a l IH].
  - symmetry. apply sum_zero.
  - change (sum m (f a) + sum l (fun x => sum m (f x)) = sum m (fun y => f a y + sum l (fun x => f x y))).
    now rewrite IH, sum_plus.
Qed.
Lemma sum_deriv {X} (l : list X) (f : X -> R -> R) d t :
  (forall x, In x l -> derivable_pt_lim (f x) t (d x)) -> derivable_pt_lim (fun t => sum l (fun x => f x t)) t (sum l d).
Proof.
  unfold sum. induction l as [|a l IH]; simpl; intros H; [apply derivable_pt_lim_const|].
  apply (derivable_pt_lim_plus (f a) (fun t => fold_right (fun x r => f x t + r) 0 l)); auto.
Qed.
Lemma deriv_mult f g t a b c : derivable_pt_lim f t a -> derivable_pt_lim g t b -> c = a * g t + f t * b ->
  derivable_pt_lim (fun t => f t * g t) t c.
Proof. intros F G ->. now apply (derivable_pt_lim_mult f g). Qed.
Lemma deriv_scal k f t a : derivable_pt_lim f t a -> derivable_pt_lim (fun t => k * f t) t (k * a).
Proof. intros F. now apply (derivable_pt_lim_scal f). Qed.
Lemma deriv_put i q j x : derivable_pt_lim (fun x => put i x q j) x (unit j i).
Proof. unfold put, unit. destruct (Pos.eqb i j); [apply derivable_pt_lim_id | apply derivable_pt_lim_const]. Qed.
Lemma put_same i (q : vector) : put i (q i) q = q.
Proof. apply functional_extensionality. intros j. unfold put. destruct (Pos.eqb i j) eqn:E; [apply Pos.eqb_eq in E; now subst | reflexivity]. Qed.

Section Mechanics.
Variable js : list coordinate.
Hypothesis distinct : NoDup js.
Variables (K : vector -> vector -> R) (P : vector -> R).
Variables (M : vector -> coordinate -> coordinate -> R) (dM Gamma : vector -> coordinate -> coordinate -> coordinate -> R).
Variable g : vector -> coordinate -> R.
Notation sum := (sum js).
Hypothesis kinetic_is : forall q v, K q v = / 2 * sum (fun i => sum (fun j => M q i j * (v i * v j))).
Hypothesis symmetric : forall q i j, M q i j = M q j i.
Hypothesis moves : forall (q : R -> vector) v t, (forall j, derivable_pt_lim (fun t => q t j) t (v j)) ->
  (forall i j, In i js -> In j js -> derivable_pt_lim (fun t => M (q t) i j) t (sum (fun k => v k * dM (q t) k i j)))
  /\ derivable_pt_lim (fun t => P (q t)) t (sum (fun k => v k * g (q t) k)).
Hypothesis christoffel : forall q i j k, In i js -> In j js -> In k js ->
  2 * Gamma q i j k = dM q k i j + dM q j i k - dM q i j k.
Hypothesis dM_symmetric : forall q k i j, dM q k i j = dM q k j i.
Definition Cor q (v : vector) i j := sum (fun k => Gamma q i j k * v k).
Definition force q (v a : vector) i := sum (fun j => M q i j * a j) + sum (fun j => Cor q v i j * v j) + g q i.
Definition Mdot q (v : vector) i j := sum (fun k => v k * dM q k i j).

Lemma pick f i : In i js -> sum (fun j => f j * unit j i) = f i.
Proof. apply sum_unit; assumption. Qed.
Lemma sum_sum_scal c f : sum (fun i => sum (fun j => c * f i j)) = c * sum (fun i => sum (f i)).
Proof. rewrite <- sum_scal. apply sum_ext. intros. apply sum_scal. Qed.
Lemma coriolis_pair q v i j : In i js -> In j js -> Cor q v i j + Cor q v j i = Mdot q v i j.
Proof.
  intros I J. unfold Cor, Mdot. rewrite <- sum_plus. apply sum_ext. intros k H.
  assert (A := christoffel q i j k I J H). assert (B := christoffel q j i k J I H).
  assert (S := dM_symmetric q k j i).
  replace (Gamma q i j k * v k + Gamma q j i k * v k) with ((2 * Gamma q i j k + 2 * Gamma q j i k) * v k / 2) by field.
  rewrite A, B, S. field.
Qed.
Lemma coriolis_sum q v i : In i js -> sum (fun j => Cor q v i j * v j)
  = sum (fun j => Mdot q v i j * v j) - / 2 * sum (fun j => sum (fun k => dM q i j k * (v j * v k))).
Proof.
  intros I.
  assert (E : sum (fun j => Mdot q v i j * v j) = sum (fun j => sum (fun k => dM q k i j * (v j * v k)))).
  { apply sum_ext. intros j H. unfold Mdot. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros. ring. }
  assert (F : sum (fun j => Mdot q v i j * v j) = sum (fun j => sum (fun k => dM q j i k * (v j * v k)))).
  { rewrite E, sum_swap. apply sum_ext. intros j H. apply sum_ext. intros. ring. }
  transitivity (/ 2 * (sum (fun j => Mdot q v i j * v j) + sum (fun j => Mdot q v i j * v j) - sum (fun j => sum (fun k => dM q i j k * (v j * v k))))); [|field].
  rewrite E at 1. rewrite F. clear E F. rewrite <- sum_plus.
  replace (sum (fun x => sum (fun k => dM q k i x * (v x * v k)) + sum (fun k => dM q x i k * (v x * v k))) - sum (fun j => sum (fun k => dM q i j k * (v j * v k))))
    with (sum (fun x => sum (fun k => dM q k i x * (v x * v k)) + sum (fun k => dM q x i k * (v x * v k))) + (-1) * sum (fun j => sum (fun k => dM q i j k * (v j * v k)))) by ring.
  rewrite <- sum_scal, <- sum_plus, <- sum_scal. apply sum_ext. intros j J. unfold Cor.
  rewrite <- sum_plus, <- sum_scal, <- sum_plus, <- sum_scal, Rmult_comm, <- sum_scal. apply sum_ext. intros k H.
  assert (A := christoffel q i j k I J H). replace (Gamma q i j k) with (2 * Gamma q i j k / 2) by field. rewrite A. field.
Qed.

Section Motion.
Variables (q v a : R -> vector).
Hypothesis Hq : forall t j, derivable_pt_lim (fun t => q t j) t (v t j).
Hypothesis Hv : forall t j, derivable_pt_lim (fun t => v t j) t (a t j).

Lemma momentum_is i t : In i js ->
  derivable_pt_lim (fun x => K (q t) (put i x (v t)) - P (q t)) (v t i) (sum (fun j => M (q t) i j * v t j)).
Proof.
  intros I.
  apply (lim_ext (fun x => / 2 * sum (fun j => sum (fun k => M (q t) j k * (put i x (v t) j * put i x (v t) k))) - P (q t))
    _ _ (/ 2 * sum (fun j => sum (fun k => M (q t) j k * (unit j i * v t k + v t j * unit k i))) - 0)).
  - intros x. now rewrite kinetic_is.
  - transitivity (/ 2 * (sum (fun j => M (q t) i j * v t j) + sum (fun j => M (q t) i j * v t j))); [|field].
    rewrite Rminus_0_r. f_equal. transitivity (sum (fun j => sum (fun k => M (q t) j k * v t k) * unit j i) + sum (fun j => v t j * sum (fun k => M (q t) j k * unit k i))).
    + rewrite <- sum_plus. apply sum_ext. intros j J. rewrite (Rmult_comm _ (unit j i)), <- !sum_scal, <- sum_plus.
      apply sum_ext. intros. ring.
    + f_equal; [now apply (pick (fun j => sum (fun k => M (q t) j k * v t k)))|].
      apply sum_ext. intros j J. rewrite (pick (fun k => M (q t) j k) i I). rewrite (symmetric (q t) j i). ring.
  - apply (derivable_pt_lim_minus (fun x => / 2 * sum (fun j => sum (fun k => M (q t) j k * (put i x (v t) j * put i x (v t) k)))) (fun _ => P (q t)));
      [|apply derivable_pt_lim_const].
    apply deriv_scal, sum_deriv. intros j J. apply sum_deriv. intros k H. apply deriv_scal.
    apply (deriv_mult _ _ _ (unit j i) (unit k i)); try apply deriv_put. now rewrite put_same.
Qed.
Lemma momentum_rate i t : In i js -> derivable_pt_lim (fun t => sum (fun j => M (q t) i j * v t j)) t
  (sum (fun j => Mdot (q t) (v t) i j * v t j + M (q t) i j * a t j)).
Proof.
  intros I. apply sum_deriv. intros j J. destruct (moves q (v t) t (Hq t)) as [D _].
  apply (deriv_mult _ _ _ (Mdot (q t) (v t) i j) (a t j)); [now apply D | apply Hv | reflexivity].
Qed.
Lemma slope_is i t : In i js -> derivable_pt_lim (fun x => K (put i x (q t)) (v t) - P (put i x (q t))) (q t i)
  (/ 2 * sum (fun j => sum (fun k => dM (q t) i j k * (v t j * v t k))) - g (q t) i).
Proof.
  intros I.
  destruct (moves (fun x => put i x (q t)) (fun j => unit j i) (q t i)) as [D DP]; [intros; apply deriv_put|].
  rewrite put_same in D, DP.
  apply (lim_ext (fun x => / 2 * sum (fun j => sum (fun k => M (put i x (q t)) j k * (v t j * v t k))) - P (put i x (q t)))
    _ _ (/ 2 * sum (fun j => sum (fun k => dM (q t) i j k * (v t j * v t k))) - g (q t) i)).
  - intros x. now rewrite kinetic_is.
  - reflexivity.
  - apply (derivable_pt_lim_minus (fun x => / 2 * sum (fun j => sum (fun k => M (put i x (q t)) j k * (v t j * v t k)))) (fun x => P (put i x (q t)))).
    + apply deriv_scal, sum_deriv. intros j J. apply sum_deriv. intros k H.
      apply (deriv_mult _ _ _ (dM (q t) i j k) 0); [| apply derivable_pt_lim_const | ring].
      rewrite <- (pick (fun l => dM (q t) l j k) i I). rewrite (sum_ext _ _ (fun k0 => unit k0 i * dM (q t) k0 j k)) by (intros; ring).
      now apply D.
    + rewrite <- (pick (fun l => g (q t) l) i I). rewrite (sum_ext _ _ (fun k => unit k i * g (q t) k)) by (intros; ring).
      exact DP.
Qed.
Theorem lagrange_holds i t : In i js -> lagrange (fun q v => K q v - P q) q v i t (force (q t) (v t) (a t) i).
Proof.
  intros I. eexists. eexists. eexists. split; [|split; [|split]].
  - intros s. apply (momentum_is i s I).
  - apply (momentum_rate i t I).
  - apply (slope_is i t I).
  - unfold force. rewrite (coriolis_sum _ _ _ I), sum_plus. ring.
Qed.
Theorem skew i j t : In i js -> In j js -> exists rate, derivable_pt_lim (fun t => M (q t) i j) t rate
  /\ rate - 2 * Cor (q t) (v t) i j = - (rate - 2 * Cor (q t) (v t) j i).
Proof.
  intros I J. exists (Mdot (q t) (v t) i j). split.
  - destruct (moves q (v t) t (Hq t)) as [D _]. now apply D.
  - rewrite <- (coriolis_pair _ _ _ _ I J). ring.
Qed.
Lemma no_work t : sum (fun i => sum (fun j => Cor (q t) (v t) i j * v t j) * v t i)
  = / 2 * sum (fun i => sum (fun j => Mdot (q t) (v t) i j * (v t i * v t j))).
Proof.
  set (X := sum (fun i => sum (fun j => Cor (q t) (v t) i j * (v t i * v t j)))).
  assert (A : sum (fun i => sum (fun j => Cor (q t) (v t) i j * v t j) * v t i) = X).
  { apply sum_ext. intros i I. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros. ring. }
  assert (B : X = sum (fun i => sum (fun j => Cor (q t) (v t) j i * (v t i * v t j)))).
  { unfold X. rewrite sum_swap. apply sum_ext. intros i I. apply sum_ext. intros. ring. }
  rewrite A. apply (Rmult_eq_reg_l 2); [|lra]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  replace (2 * X) with (X + X) by ring. rewrite B at 2. unfold X. rewrite <- sum_plus. apply sum_ext. intros i I.
  rewrite <- sum_plus. apply sum_ext. intros j J. rewrite <- (coriolis_pair _ _ _ _ I J). ring.
Qed.
Theorem power t : derivable_pt_lim (fun t => K (q t) (v t) + P (q t)) t (sum (fun i => force (q t) (v t) (a t) i * v t i)).
Proof.
  destruct (moves q (v t) t (Hq t)) as [D DP].
  apply (lim_ext (fun t => / 2 * sum (fun i => sum (fun j => M (q t) i j * (v t i * v t j))) + P (q t)) _ _
    (/ 2 * sum (fun i => sum (fun j => Mdot (q t) (v t) i j * (v t i * v t j) + M (q t) i j * (a t i * v t j + v t i * a t j))) + sum (fun k => v t k * g (q t) k))).
  - intros s. now rewrite kinetic_is.
  - unfold force. rewrite (sum_ext js (fun i => (_ + _ + _) * _) (fun i => sum (fun j => M (q t) i j * a t j) * v t i + (sum (fun j => Cor (q t) (v t) i j * v t j) * v t i + v t i * g (q t) i)) ) by (intros; ring).
    rewrite !sum_plus, no_work, <- Rplus_assoc. f_equal.
    set (Y := sum (fun i => sum (fun j => M (q t) i j * a t j) * v t i)).
    assert (A : Y = sum (fun i => sum (fun j => M (q t) i j * (v t i * a t j)))).
    { apply sum_ext. intros i I. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros. ring. }
    assert (B : Y = sum (fun i => sum (fun j => M (q t) i j * (a t i * v t j)))).
    { rewrite A, sum_swap. apply sum_ext. intros i I. apply sum_ext. intros j J. rewrite (symmetric (q t) j i). ring. }
    transitivity (/ 2 * (sum (fun i => sum (fun j => Mdot (q t) (v t) i j * (v t i * v t j))) + (Y + Y))); [|field].
    f_equal. rewrite A at 1. rewrite B. rewrite <- !sum_plus. apply sum_ext. intros i I. rewrite <- !sum_plus. apply sum_ext. intros. ring.
  - apply (derivable_pt_lim_plus (fun t => / 2 * sum (fun i => sum (fun j => M (q t) i j * (v t i * v t j)))) (fun t => P (q t))); [|exact DP].
    apply deriv_scal, sum_deriv. intros i I. apply sum_deriv. intros j J.
    apply (deriv_mult _ _ _ (Mdot (q t) (v t) i j) (a t i * v t j + v t i * a t j)); [now apply D | | reflexivity].
    apply (deriv_mult _ _ _ (a t i) (a t j)); [apply Hv | apply Hv | ring].
Qed.
End Motion.
End Mechanics.
