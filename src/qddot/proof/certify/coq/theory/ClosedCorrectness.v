(* What the check of a closed chain accepts is correct. *)
From Coq Require Import ZArith List Reals Lra Lia FunctionalExtensionality Bool.
From Qddot Require Import Statement Polynomials Mechanics Checker Steps Kinetic Potential Correctness.
From Qddot Require Import ClosedStatement ClosedChecker.
Import ListNotations.
Open Scope R_scope.

Lemma get_table {X} (d : X) (f : positive -> X) k l : In k l -> get d k (table l f) = f k.
Proof.
  unfold get, table. induction l as [|a l IH]; simpl; [contradiction|]. destruct (Pos.eqb k a) eqn:E.
  - apply Pos.eqb_eq in E. now subst.
  - intros [->|H]; [rewrite Pos.eqb_refl in E; discriminate | now apply IH].
Qed.
(* ---- sums ---- *)
Lemma move_sum {X Y} (l : list X) (m : list Y) c f x :
  sum l (fun p => c p * sum m (fun j => f p j * x j)) = sum m (fun j => sum l (fun p => c p * f p j) * x j).
Proof.
  transitivity (sum l (fun p => sum m (fun j => c p * f p j * x j))).
  - apply sum_ext. intros. rewrite <- sum_scal. apply sum_ext. intros. ring.
  - rewrite sum_swap. apply sum_ext. intros. rewrite (Rmult_comm (sum _ _)), <- sum_scal. apply sum_ext. intros. ring.
Qed.
Lemma move_sums {X} (l : list X) (m : list positive) c f x :
  sum l (fun p => c p * sum m (fun j => sum m (fun i => f p j i * x i) * x j))
  = sum m (fun j => sum m (fun i => sum l (fun p => c p * f p j i) * x i) * x j).
Proof. rewrite move_sum. apply sum_ext. intros. now rewrite move_sum. Qed.
Lemma move_left {X Y} (l : list X) (m : list Y) f x c :
  sum l (fun p => sum m (fun i => f p i * x i) * c p) = sum m (fun i => sum l (fun p => f p i * c p) * x i).
Proof.
  transitivity (sum l (fun p => c p * sum m (fun i => f p i * x i))); [apply sum_ext; intros; ring|].
  rewrite move_sum. apply sum_ext. intros. f_equal. apply sum_ext. intros. ring.
Qed.

(* motions B u of any equations with M and Gamma: what B^t makes of them *)
Section Reduced.
Variables (js : list coordinate) (us : list positive) (B : positive -> positive -> R) (S : positive -> positive -> positive -> R).
Variables (v a u u' : vector).
Hypothesis rates : forall k, In k js -> v k = sum us (fun j => B k j * u j).
Hypothesis accelerations : forall k, In k js -> a k = sum us (fun j => B k j * u' j)
  + sum us (fun j => sum us (fun l => S k j l * u l) * u j).
Lemma along_rates c : sum js (fun k => c k * v k) = sum us (fun j => sum js (fun k => c k * B k j) * u j).
Proof. rewrite <- move_sum. apply sum_ext. intros. now rewrite rates. Qed.
Lemma along_accelerations c : sum js (fun k => c k * a k) = sum us (fun j => sum js (fun k => c k * B k j) * u' j)
  + sum us (fun j => sum us (fun l => sum js (fun k => c k * S k j l) * u l) * u j).
Proof.
  rewrite <- move_sum, <- move_sums, <- sum_plus. apply sum_ext. intros. rewrite accelerations by assumption. ring.
Qed.
(* of products of two rates *)
Lemma along_products G : sum js (fun p => sum js (fun s => G p s * v s) * v p)
  = sum us (fun j => sum us (fun l => sum js (fun p => sum js (fun s => G p s * B s l) * B p j) * u l) * u j).
Proof.
  rewrite (along_rates (fun p => sum js (fun s => G p s * v s))). apply sum_ext. intros j _. f_equal.
  transitivity (sum js (fun p => sum us (fun l => sum js (fun s => G p s * B s l) * u l) * B p j)); [|apply move_left].
  apply sum_ext. intros p _. f_equal. apply along_rates.
Qed.
Variables (M : positive -> positive -> R) (Gam : positive -> positive -> positive -> R).
Lemma onto_columns i :
  sum js (fun k => B k i * (sum js (fun p => M k p * a p) + sum js (fun p => sum js (fun s => Gam k p s * v s) * v p)))
  = sum us (fun j => sum js (fun k => B k i * sum js (fun p => M k p * B p j)) * u' j)
  + sum us (fun j => sum us (fun l => sum js (fun k => B k i *
      (sum js (fun p => sum js (fun s => Gam k p s * B s l) * B p j) + sum js (fun p => M k p * S p j l))) * u l) * u j).
Proof.
  rewrite <- move_sum, <- move_sums, <- sum_plus. apply sum_ext. intros k _. rewrite <- Rmult_plus_distr_l. f_equal.
  rewrite along_accelerations, along_products, Rplus_assoc. f_equal. rewrite <- sum_plus. apply sum_ext. intros j _.
  rewrite <- Rmult_plus_distr_r, <- sum_plus. f_equal. apply sum_ext. intros. ring.
Qed.
End Reduced.

(* ---- uniqueness ---- *)
Lemma lagrange_unique L q v i t f g : lagrange L q v i t f -> lagrange L q v i t g -> f = g.
Proof.
  intros [p [r [s [P [D [Q ->]]]]]] [p' [r' [s' [P' [D' [Q' ->]]]]]].
  assert (E : r = r').
  { apply (uniqueness_limite p t); [assumption|]. apply (lim_ext p' p t r' r'); [|reflexivity|assumption].
    intros x. exact (uniqueness_limite _ _ _ _ (P' x) (P x)). }
  assert (F : s = s') by exact (uniqueness_limite _ _ _ _ Q Q'). now rewrite E, F.
Qed.

Section Values.
Variables (A : arm) (w : constants).
Let al := arm_angles A.
Let js := coordinates A.
Hypothesis distinct_js : NoDup js.
Notation qval := (qvalue al w).
Lemma sumq_ok {X} q (l : list X) f : qval q (sumq l f) = sum l (fun x => qval q (f x)).
Proof. unfold sumq, sum. induction l as [|x l IH]; simpl; [apply qvalue_zero | now rewrite qvalue_add, IH]. Qed.
Lemma subq_ok q x y : qval q (subq x y) = qval q x - qval q y.
Proof. unfold subq. rewrite qvalue_add, qvalue_scale. ring. Qed.
Lemma add3_ok q f : qval q (add3 f) = sum3 (fun i => qval q (f i)).
Proof. unfold add3, sum3. rewrite !qvalue_add. ring. Qed.
Lemma sum3_ext f g : (forall i, (i < 3)%nat -> f i = g i) -> sum3 f = sum3 g.
Proof. intros H. unfold sum3. now rewrite !H by lia. Qed.
Lemma in_row_ok q l i : qval q (in_row (normal l) i) = printed_in A w q l i.
Proof. unfold in_row, normal, nilq. rewrite at_place_map. apply norm_entry_ok. Qed.
Lemma in_rows_ok q l i j : qval q (in_rows (map normal l) i j) = printed_in A w q (at_place i l []) j.
Proof. unfold in_rows. change [] with (normal []) at 1. rewrite at_place_map. apply in_row_ok. Qed.
Lemma in_arrays_ok q l i j k : qval q (in_arrays (map (map normal) l) i j k) = printed_in A w q (at_place j (at_place i l []) []) k.
Proof. unfold in_arrays. change [] with (map normal []) at 1. rewrite at_place_map. apply in_rows_ok. Qed.
Lemma one_ok q : qval q oneq = 1.
Proof. unfold qvalue, oneq, zvalue, mono_value. simpl. field. Qed.
Lemma zero_ok q : qval q zeroq = 0.
Proof. apply qvalue_zero. Qed.

(* conditions *)
Lemma frame_ok p q : agrees A w q (frame_q p) (frame A w p q).
Proof.
  unfold frame_q, frame.
  assert (H : forall (P : qmat) X, agrees A w q P X -> agrees A w q (fold_left (fun P l => qmul P (step_q l)) p P)
    (fold_left (fun P l => product P (step A w l q)) p X)).
  { induction p as [|l p IH]; intros P X H; [exact H|]. simpl. apply IH. intros i j I J. rewrite mval_mul by assumption.
    apply product_ext; try assumption. intros; now apply step_ok. }
  apply H. intros i j I J. rewrite mval_exprs by assumption. apply value_delta.
Qed.
Lemma frame_ent p q i j : (i < 4)%nat -> (j < 4)%nat -> qval q (ent (frame_q p) i j) = frame A w p q i j.
Proof. intros. now apply frame_ok. Qed.
Lemma apart_ok f s q i : (i < 3)%nat -> qval q (apart (frame_q f) (frame_q s) i) = frame A w s q i 3%nat - frame A w f q i 3%nat.
Proof. intros. unfold apart. now rewrite subq_ok, !frame_ent by lia. Qed.
Lemma condition_ok c q : has_axes c = true -> qval q (condition_q c) = condition_value A w c q.
Proof.
  destruct c as [u f s|k f s|i j f s|x f s|k f s g]; cbn [has_axes condition_q condition_value]; cbv zeta; intros H; try (rewrite add3_ok; cbv beta).
  - apply sum3_ext. intros i I. unfold al. rewrite qvalue_mul, norm_ok. fold al. now rewrite apart_ok.
  - apply Nat.ltb_lt in H. apply sum3_ext. intros i I. rewrite qvalue_mul, apart_ok, frame_ent by lia. reflexivity.
  - apply andb_prop in H. destruct H as [I J]. apply Nat.ltb_lt in I, J. apply sum3_ext. intros k K.
    now rewrite qvalue_mul, !frame_ent by lia.
  - rewrite qvalue_mul, subq_ok, add3_ok. unfold al. rewrite !norm_ok. fold al. cbn [value].
    rewrite (sum3_ext _ (fun i => (frame A w s q i 3%nat - frame A w f q i 3%nat) * (frame A w s q i 3%nat - frame A w f q i 3%nat))).
    + unfold sum3. field.
    + intros i I. now rewrite qvalue_mul, !apart_ok.
  - apply zero_ok.
Qed.
Lemma linear_slip (l : list coordinate) (v : vector) (P : nat -> R) (x y : nat -> R) (D D' : coordinate -> matrix) :
  sum l (fun j => sum3 (fun i => P i * ((sum3 (fun k => D j i k * x k) + D j i 3%nat) - (sum3 (fun k => D' j i k * y k) + D' j i 3%nat))) * v j)
  = sum3 (fun i => P i * ((sum3 (fun k => sum l (fun j => v j * D j i k) * x k) + sum l (fun j => v j * D j i 3%nat))
    - (sum3 (fun k => sum l (fun j => v j * D' j i k) * y k) + sum l (fun j => v j * D' j i 3%nat)))).
Proof.
  induction l as [|a l IH]; [unfold sum3, sum; simpl; ring|].
  unfold sum at 1. cbn [fold_right]. change (fold_right _ 0 l) with (sum l (fun j => sum3 (fun i => P i * ((sum3 (fun k => D j i k * x k) + D j i 3%nat) - (sum3 (fun k => D' j i k * y k) + D' j i 3%nat))) * v j)).
  rewrite IH. unfold sum3, sum. cbn [fold_right]. ring.
Qed.
Lemma mat_within p i j : matrix_within A (frame_q p) = true -> (i < 4)%nat -> (j < 4)%nat -> within al js (ent (frame_q p) i j) = true.
Proof.
  unfold matrix_within, ent. fold al js. intros H I J.
  destruct (Nat.lt_ge_cases i (length (frame_q p))) as [L|L]; [|rewrite (nth_overflow (frame_q p)) by assumption; destruct j; reflexivity].
  rewrite forallb_forall in H. assert (R := H _ (nth_In _ [] L)). rewrite forallb_forall in R.
  destruct (Nat.lt_ge_cases j (length (nth i (frame_q p) []))) as [K|K]; [now apply R, nth_In | now rewrite nth_overflow].
Qed.
Section Motion.
Variables (q : R -> vector) (v : vector) (t : R).
Hypothesis moves_q : forall j, derivable_pt_lim (fun t => q t j) t (v j).
Lemma entry_rate x : within al js (norm_entry x) = true -> derivable_pt_lim (fun t => printed A w (q t) x) t
  (sum js (fun j => v j * qval (q t) (d_qpoly al j (norm_entry x)))).
Proof.
  intros W. apply (lim_ext (fun t => qval (q t) (norm_entry x)) _ _ (qrate al w (q t) v (norm_entry x))).
  - intros s. apply norm_entry_ok.
  - now apply (qrate_sum al w js distinct_js).
  - now apply qpath.
Qed.
Lemma frame_rates p : matrix_within A (frame_q p) = true ->
  rates_of A w p q t (fun i j => sum js (fun k => v k * qval (q t) (ent (d_qmat A k (frame_q p)) i j))).
Proof.
  intros W i j I J. apply (lim_ext (fun t => qval (q t) (ent (frame_q p) i j)) _ _ (qrate al w (q t) v (ent (frame_q p) i j))).
  - intros s. now apply frame_ent.
  - rewrite (qrate_sum al w js distinct_js) by now apply mat_within. apply sum_ext. intros k _. unfold d_qmat. now rewrite ent_tab.
  - now apply qpath.
Qed.
Lemma rate_ok c : has_axes (keeps c) = true -> eqbq (norm_entry (phi c)) (condition_q (keeps c)) = true -> rates_agree A c = true ->
  condition_rate A w (keeps c) q t (sum js (fun k => A_entry A w (q t) c k * v k)).
Proof.
  intros HA HP HR.
  assert (PV : forall q, printed A w q (phi c) = condition_value A w (keeps c) q).
  { intros s. rewrite <- (condition_ok _ _ HA), <- (eqbq_ok al w s _ _ HP). symmetry. apply norm_entry_ok. }
  unfold rates_agree in HR. fold al js in HR. revert HA PV HR. destruct (keeps c) as [u f s|k f s|i j f s|x f s|k W P G]; intros HA PV HR;
    try (apply andb_prop in HR; destruct HR as [HW HR]; unfold condition_rate;
      apply (lim_ext (fun t => printed A w (q t) (phi c)) _ _ (sum js (fun j => v j * qval (q t) (d_qpoly al j (norm_entry (phi c)))))); [
      intros y; apply PV
    | apply sum_ext; intros y Y; unfold all in HR; rewrite forallb_forall in HR; apply HR in Y; apply (eqbq_ok al w (q t)) in Y;
      rewrite Y; unfold A_entry, printed_in, printed, al; rewrite norm_entry_ok; ring
    | now apply entry_rate]).
  cbv zeta in HR. apply andb_prop in HR. destruct HR as [HW HR]. apply andb_prop in HW. destruct HW as [HW HG].
  cbn [has_axes] in HA. apply Nat.ltb_lt in HA. cbn [condition_rate].
  exists (fun i j => sum js (fun k => v k * qval (q t) (ent (d_qmat A k (frame_q W)) i j))).
  exists (fun i j => sum js (fun k => v k * qval (q t) (ent (d_qmat A k (frame_q G)) i j))).
  split; [now apply frame_rates|]. split; [now apply frame_rates|]. unfold carried.
  rewrite <- linear_slip. apply sum_ext. intros j J. f_equal. unfold all in HR. rewrite forallb_forall in HR. apply HR in J.
  apply (eqbq_ok al w (q t)) in J. unfold A_entry, printed_in, printed. unfold al in J. rewrite norm_entry_ok in J. rewrite <- J. fold al.
  rewrite add3_ok. apply sum3_ext. intros i I. rewrite qvalue_mul, frame_ent by lia. f_equal.
  rewrite subq_ok. unfold carried_q. rewrite !qvalue_add, !add3_ok.
  assert (B : forall T x, (x < 3)%nat -> qval (q t) (behind (frame_q T) (frame_q P) x)
    = sum3 (fun r => frame A w T (q t) r x * (frame A w P (q t) r 3%nat - frame A w T (q t) r 3%nat))).
  { intros T x X. unfold behind. rewrite add3_ok. apply sum3_ext. intros r R0. now rewrite qvalue_mul, apart_ok, frame_ent by lia. }
  f_equal; f_equal; apply sum3_ext; intros x X; rewrite qvalue_mul; f_equal; rewrite <- B by assumption;
    destruct x as [|[|[|x]]]; try lia; reflexivity.
Qed.
End Motion.
End Values.

Ltac split_check H := repeat (let H' := fresh in apply andb_prop in H; destruct H as [H H']).
Lemma all_ok {X} (l : list X) f : all l f = true -> forall x, In x l -> f x = true.
Proof. unfold all. now rewrite forallb_forall. Qed.

Section Theorem_.
Variables (A : arm) (E : equations) (C : chain).
Let al := arm_angles A.
Let js := coordinates A.
Let us := columns C.
Hypothesis ok : check A E = true.
Hypothesis chain_ok : check_chain A E C = true.
Variable w : constants.
Notation qval := (qvalue al w).
Let distinct_js : NoDup js := distinct_js A E ok.
Lemma chain_parts : conditions_agree A C = true /\ solved A C = true /\ reduced A E C = true.
Proof. unfold check_chain in chain_ok. apply andb_prop in chain_ok. destruct chain_ok as [H R]. apply andb_prop in H. tauto. Qed.
Lemma condition_parts c : In c (rows_of_A C) -> has_axes (keeps c) = true
  /\ eqbq (norm_entry (phi c)) (condition_q (keeps c)) = true
  /\ (forall k, within al js (in_row (normal (in_A c)) k) = true) /\ rates_agree A c = true.
Proof.
  intros I. destruct chain_parts as [H _]. apply (all_ok _ _ H) in I. split_check I. repeat split; try assumption.
  intros k. unfold in_row, at_place. destruct (Nat.lt_ge_cases (pred (Pos.to_nat k)) (length (normal (in_A c)))) as [L|L].
  - rewrite forallb_forall in H1. now apply H1, nth_In.
  - now rewrite nth_overflow.
Qed.
Lemma distinct_us : NoDup us.
Proof.
  destruct chain_parts as [_ [H _]]. unfold solved in H. cbv zeta in H. apply andb_prop in H. destruct H as [H _].
  apply andb_prop in H. destruct H as [_ H]. now apply distinct_ok.
Qed.

Section At.
Variable q : vector.
Notation Ae := (A_entry A w q).
Notation Re := (R_entry A C w q).
Notation Se := (R_slope A C w q).
Lemma R_own j l : In j us -> In l us -> Re (own C j) l = if Pos.eqb j l then 1 else 0.
Proof.
  intros J L. destruct chain_parts as [_ [H _]]. unfold solved in H. cbv zeta in H. apply andb_prop in H. destruct H as [_ H].
  apply (all_ok _ _ H) in J. apply (all_ok _ _ J) in L. apply andb_prop in L. destruct L as [L _].
  apply (eqbq_ok al w q) in L. unfold al in L. rewrite in_rows_ok in L. unfold R_entry. rewrite L.
  destruct (Pos.eqb j l); [apply one_ok | apply zero_ok].
Qed.
Lemma S_own j l m : In j us -> In l us -> In m us -> Se (own C j) l m = 0.
Proof.
  intros J L M. destruct chain_parts as [_ [H _]]. unfold solved in H. cbv zeta in H. apply andb_prop in H. destruct H as [_ H].
  apply (all_ok _ _ H) in J. apply (all_ok _ _ J) in L. apply andb_prop in L. destruct L as [_ L]. apply (all_ok _ _ L) in M.
  apply (eqbq_ok al w q) in M. unfold al in M. rewrite in_arrays_ok in M. unfold R_slope. rewrite M. apply zero_ok.
Qed.
Definition dAe (c : row) (k i : coordinate) : R := qval q (d_qpoly al i (in_row (normal (in_A c)) k)).
Lemma slope_ok c k i : is_slope A w q c k i (dAe c k i).
Proof.
  unfold is_slope, dAe. apply (lim_ext (fun x => qval (put i x q) (in_row (normal (in_A c)) k)) _ _
    (qrate al w (put i (q i) q) (unit i) (in_row (normal (in_A c)) k))).
  - intros x. apply in_row_ok.
  - rewrite put_same. symmetry. apply d_qpoly_ok.
  - apply (qpath al w (fun x => put i x q)). intros j. unfold unit. rewrite Pos.eqb_sym. apply deriv_put.
Qed.

Hypothesis is_defined : defined A C w q.
Lemma single_ok x i : single x = Some i -> qval q x = parameter w i.
Proof.
  unfold single. intros H. destruct x as [[d|d|] p]; try discriminate.
  destruct p as [|[[|a m] z] p]; try discriminate.
  destruct a as [k|k|k|k|k]; try discriminate. destruct m as [|b m]; try discriminate. destruct z as [|[z|z|]|z]; try discriminate.
  destruct p; try discriminate. inversion H. subst. unfold qvalue, zvalue, mono_value, product_of. simpl. field.
Qed.
Lemma over_ok d x : qval q (over_determinant (overs C) d x) = qval q d * qval q x.
Proof.
  unfold over_determinant. destruct (single x) as [i|] eqn:X; [|apply qvalue_mul]. apply single_ok in X.
  destruct (find (fun y => Pos.eqb i (fst y)) (overs C)) as [y|] eqn:F; [|apply qvalue_mul]. apply find_some in F. destruct F as [I Q].
  destruct (eqbq (snd (snd y)) d) eqn:D; [|apply qvalue_mul]. apply (eqbq_ok al w q) in D. rewrite <- D, X.
  apply Pos.eqb_eq in Q. unfold overs in I. apply in_map_iff in I. destruct I as [f [<- I]]. simpl in Q. subst i. simpl fst. simpl snd.
  rewrite !qvalue_mul. destruct is_defined as [H _]. destruct (H f I) as [N V]. rewrite V.
  unfold al. rewrite !norm_entry_ok. unfold printed in *. field. exact N.
Qed.
Lemma A_R_and_slopes c j m : In c (rows_of_A C) -> In j us -> In m us ->
  sum js (fun k => Ae c k * Re k j) = 0
  /\ sum js (fun k => Ae c k * Se k j m) + sum js (fun k => sum js (fun i => dAe c k i * Re i m) * Re k j) = 0.
Proof.
  intros I J M. destruct is_defined as [_ H]. assert (N := H c I). destruct chain_parts as [_ [S _]]. unfold solved in S. cbv zeta in S.
  apply andb_prop in S. destruct S as [S _]. apply andb_prop in S. destruct S as [S _]. apply (all_ok _ _ S) in I. clear S.
  destruct (determinant c) as [d|].
  - apply (all_ok _ _ I) in J. apply andb_prop in J. destruct J as [J1 J2]. apply (all_ok _ _ J2) in M.
    apply (eqbq_ok al w q) in J1, M. unfold zeroq in J1, M. rewrite qvalue_zero in J1, M.
    assert (D : qval q (norm_entry d) <> 0) by (unfold al; rewrite norm_entry_ok; exact N).
    assert (F : forall f g, (forall k, In k js -> qval q (f k) = g k) ->
      qval q (sumq js (fun k => mulq (in_row (normal (in_A c)) k) (over_determinant (overs C) (norm_entry d) (f k))))
      = qval q (norm_entry d) * sum js (fun k => Ae c k * g k)).
    { intros f g FG. unfold al. rewrite sumq_ok, <- sum_scal. apply sum_ext. intros k K. fold al.
      rewrite qvalue_mul, over_ok, FG by assumption. unfold al. rewrite in_row_ok. unfold A_entry. ring. }
    split.
    + rewrite (F _ (fun k => Re k j)) in J1 by (intros; apply in_rows_ok). apply Rmult_integral in J1. tauto.
    + rewrite qvalue_add, (F _ (fun k => Se k j m)), qvalue_mul in M by (intros; apply in_arrays_ok).
      rewrite <- Rmult_plus_distr_l in M. apply Rmult_integral in M. destruct M as [M|M]; [contradiction|]. rewrite <- M. f_equal.
      unfold al. rewrite sumq_ok. apply sum_ext. intros k K. rewrite qvalue_mul, in_rows_ok. f_equal.
      rewrite sumq_ok. apply sum_ext. intros i Hi. rewrite qvalue_mul, in_rows_ok, !get_table by assumption. reflexivity.
  - destruct (N j m J M) as [N1 N2]. split; [exact N1|]. apply N2. intros. apply slope_ok.
Qed.
End At.

Section Moving.
Variables q v a : R -> vector.
Hypothesis Hq : forall t j, derivable_pt_lim (fun t => q t j) t (v t j).
Hypothesis Hv : forall t j, derivable_pt_lim (fun t => v t j) t (a t j).
Variable t : R.
Hypothesis is_defined : defined A C w (q t).
Notation Ae := (A_entry A w (q t)).
Notation Re := (R_entry A C w (q t)).
Notation Se := (R_slope A C w (q t)).
Hypothesis kept : forall c t, In c (rows_of_A C) -> sum js (fun k => A_entry A w (q t) c k * v t k) = 0.
Hypothesis determines : determined A C w (q t).
Let u j := v t (own C j).
Let u' j := a t (own C j).
Lemma by_own f l : In l us -> sum us (fun j => (if Pos.eqb l j then 1 else 0) * f j) = f l.
Proof.
  intros L. rewrite <- (sum_unit us distinct_us f l L). apply sum_ext. intros j _. unfold unit. rewrite (Pos.eqb_sym l j). ring.
Qed.
Lemma rates_follow k : In k js -> v t k = sum us (fun j => Re k j * u j).
Proof.
  intros K. apply Rminus_diag_uniq. apply (determines (fun k => v t k - sum us (fun j => Re k j * u j))); [| |exact K].
  - intros l L. fold us in L. rewrite (sum_ext us _ (fun j => (if Pos.eqb l j then 1 else 0) * u j)) by (intros; now rewrite R_own).
    rewrite by_own by assumption. unfold u. ring.
  - intros c I. fold js. rewrite (sum_ext js _ (fun k => Ae c k * v t k + (-1) * (Ae c k * sum us (fun j => Re k j * u j)))) by (intros; ring).
    rewrite sum_plus, sum_scal, kept, move_sum by assumption.
    rewrite (sum_ext us _ (fun _ => 0)); [rewrite sum_zero; ring|]. intros j J.
    destruct (A_R_and_slopes (q t) is_defined c j j I J J) as [-> _]. ring.
Qed.
Lemma accelerations_keep c : In c (rows_of_A C) ->
  sum js (fun k => sum js (fun i => dAe (q t) c k i * v t i) * v t k) + sum js (fun k => Ae c k * a t k) = 0.
Proof.
  intros I. rewrite <- sum_plus. apply (uniqueness_limite (fun t => sum js (fun k => A_entry A w (q t) c k * v t k)) t).
  - apply sum_deriv. intros k K.
    apply (deriv_mult _ _ _ (sum js (fun i => dAe (q t) c k i * v t i)) (a t k)); [|apply Hv|reflexivity].
    apply (lim_ext (fun t => qval (q t) (in_row (normal (in_A c)) k)) _ _ (qrate al w (q t) (v t) (in_row (normal (in_A c)) k))).
    + intros s. apply in_row_ok.
    + destruct (condition_parts c I) as [_ [_ [W _]]]. rewrite (qrate_sum al w js distinct_js _ _ _ (W k)).
      apply sum_ext. intros. unfold dAe. ring.
    + apply qpath. apply Hq.
  - apply (lim_ext (fun _ => 0) _ _ 0); [intros s; symmetry; now apply kept | reflexivity | apply derivable_pt_lim_const].
Qed.
Lemma accelerations_follow k : In k js -> a t k = sum us (fun j => Re k j * u' j)
  + sum us (fun j => sum us (fun l => Se k j l * u l) * u j).
Proof.
  intros K. apply Rminus_diag_uniq.
  apply (determines (fun k => a t k - (sum us (fun j => Re k j * u' j) + sum us (fun j => sum us (fun l => Se k j l * u l) * u j)))); [| |exact K].
  - intros l L. fold us in L. rewrite (sum_ext us _ (fun j => (if Pos.eqb l j then 1 else 0) * u' j)) by (intros; now rewrite R_own).
    rewrite by_own by assumption. rewrite (sum_ext us _ (fun _ => 0)).
    + rewrite sum_zero. unfold u'. ring.
    + intros j J. rewrite (sum_ext us _ (fun _ => 0)); [rewrite sum_zero; ring|]. intros m M. rewrite S_own by assumption. ring.
  - intros c I. fold js. assert (X := accelerations_keep c I).
    assert (Y : sum js (fun k => sum js (fun i => dAe (q t) c k i * v t i) * v t k)
      = sum us (fun j => sum us (fun l => sum js (fun k => sum js (fun i => dAe (q t) c k i * Re i l) * Re k j) * u l) * u j)).
    { apply (along_products js us Re (v t) u rates_follow (dAe (q t) c)). }
    rewrite (sum_ext js _ (fun k => Ae c k * a t k + (-1) * (Ae c k * sum us (fun j => Re k j * u' j)
      + Ae c k * sum us (fun j => sum us (fun l => Se k j l * u l) * u j)))) by (intros; ring).
    rewrite sum_plus, sum_scal, sum_plus, move_sum, move_sums.
    rewrite (sum_ext us (fun j => sum js (fun p => Ae c p * Re p j) * u' j) (fun _ => 0)).
    2:{ intros j J. destruct (A_R_and_slopes (q t) is_defined c j j I J J) as [-> _]. ring. }
    rewrite sum_zero. rewrite Y in X.
    assert (Z : sum us (fun j => sum us (fun l => sum js (fun k => sum js (fun i => dAe (q t) c k i * Re i l) * Re k j) * u l) * u j)
      + sum us (fun j => sum us (fun i => sum js (fun p => Ae c p * Se p j i) * u i) * u j) = 0).
    { rewrite <- sum_plus. rewrite (sum_ext us _ (fun _ => 0)); [apply sum_zero|]. intros j J.
      rewrite <- Rmult_plus_distr_r, <- sum_plus. rewrite (sum_ext us _ (fun _ => 0)); [rewrite sum_zero; ring|]. intros l L.
      rewrite <- Rmult_plus_distr_r, Rplus_comm. destruct (A_R_and_slopes (q t) is_defined c j l I J L) as [_ ->]. ring. }
    lra.
Qed.

Lemma reduced_parts : forall i, In i us ->
  (forall j, In j us -> sum js (fun k => Re k i * sum js (fun p => M A E w (q t) k p * Re p j)) = chain_M A C w (q t) i j)
  /\ (forall j l, In j us -> In l us -> sum js (fun k => Re k i *
      (sum js (fun p => sum js (fun s => Gamma A E w (q t) k p s * Re s l) * Re p j) + sum js (fun p => M A E w (q t) k p * Se p j l)))
      = chain_Gamma A C w (q t) i j l)
  /\ sum js (fun k => Re k i * G A E w (q t) k) = printed_in A w (q t) (reduced_G C) i
  /\ sum js (fun k => Re k i * springs A E w (q t) k) = printed_in A w (q t) (reduced_springs C) i
  /\ (forall j, In j us -> sum js (fun k => Re k i * printed A w (q t) (at_place k (viscous_entries E) nil) * Re k j)
      = printed_in A w (q t) (at_place i (reduced_viscous C) []) j)
  /\ (forall k, In k js -> Re k i * printed A w (q t) (at_place k (dry_entries E) nil) = printed_in A w (q t) (at_place i (reduced_dry C) []) k).
Proof.
  destruct chain_parts as [_ [_ H]]. unfold reduced in H. cbv zeta in H. fold us js in H.
  apply andb_prop in H. destruct H as [H HV]. apply andb_prop in H. destruct H as [HM HG].
  assert (T : forall (x : coordinate -> qpoly) i, qval (q t) (sumq js (fun k => mulq (in_rows (map normal (R_entries C)) k i) (get zeroq k (table js x))))
    = sum js (fun k => Re k i * qval (q t) (x k))).
  { intros x i. unfold al. rewrite sumq_ok. apply sum_ext. intros k K. rewrite qvalue_mul, in_rows_ok, get_table by assumption. reflexivity. }
  assert (V : forall (l : list entry) k, qval (q t) (norm_entry (at_place k l nil)) = printed A w (q t) (at_place k l nil)) by (intros; apply norm_entry_ok).
  intros i I. repeat split.
  - intros j J. apply (all_ok _ _ HM) in J. apply (all_ok _ _ J) in I. apply (eqbq_ok al w (q t)) in I. rewrite T in I.
    transitivity (qval (q t) (lower (map normal (reduced_M C)) i j)).
    + rewrite <- I. apply sum_ext. intros k K. f_equal. unfold al. rewrite sumq_ok. apply sum_ext. intros p P.
      rewrite qvalue_mul, in_rows_ok, (M_ok A E w). reflexivity.
    + unfold lower, chain_M. apply in_rows_ok.
  - intros j l J L. apply (all_ok _ _ HG) in L. apply (all_ok _ _ L) in J. apply (all_ok _ _ J) in I. apply (eqbq_ok al w (q t)) in I. rewrite T in I.
    unfold al in I. rewrite in_arrays_ok in I. unfold chain_Gamma. rewrite <- I. apply sum_ext. intros k K. f_equal.
    rewrite qvalue_add, !sumq_ok. f_equal.
    + apply sum_ext. intros p P. rewrite qvalue_mul, in_rows_ok, !get_table by assumption. f_equal. rewrite sumq_ok.
      apply sum_ext. intros s S. rewrite qvalue_mul, in_rows_ok, in_arrays_ok. reflexivity.
    + apply sum_ext. intros p P. rewrite qvalue_mul, in_arrays_ok, (M_ok A E w). reflexivity.
  - apply (all_ok _ _ HV) in I. split_check I. apply (eqbq_ok al w (q t)) in I. rewrite T in I. unfold al in I. rewrite in_row_ok in I.
    rewrite <- I. apply sum_ext. intros. f_equal. symmetry. apply V.
  - apply (all_ok _ _ HV) in I. split_check I. apply (eqbq_ok al w (q t)) in H1. rewrite T in H1. unfold al in H1. rewrite in_row_ok in H1.
    rewrite <- H1. apply sum_ext. intros. f_equal. symmetry. apply V.
  - intros j J. apply (all_ok _ _ HV) in I. split_check I. apply (all_ok _ _ H0) in J. apply (eqbq_ok al w (q t)) in J. unfold al in J.
    rewrite in_rows_ok, sumq_ok in J. rewrite <- J. apply sum_ext. intros k K. rewrite !qvalue_mul, !in_rows_ok, get_table by assumption.
    f_equal. f_equal. symmetry. apply V.
  - intros k K. apply (all_ok _ _ HV) in I. split_check I. apply (all_ok _ _ H) in K as Y. apply (eqbq_ok al w (q t)) in Y. unfold al in Y.
    rewrite in_rows_ok, qvalue_mul, in_rows_ok, get_table in Y by assumption. rewrite <- Y. f_equal. symmetry. apply V.
Qed.
Lemma onto_rates i : In i us -> sum js (fun k => Re k i * tau A E w (q t) (v t) (a t) k) = chain_tau A C w (q t) (v t) u u' i.
Proof.
  intros I. destruct (reduced_parts i I) as [HM [HG [Hg [Hs [Hv' Hd]]]]].
  unfold tau, conservative, Statement.C. fold js.
  rewrite (sum_ext js _ (fun k => Re k i * (sum js (fun p => M A E w (q t) k p * a t p)
      + sum js (fun p => sum js (fun s => Gamma A E w (q t) k p s * v t s) * v t p))
    + (Re k i * G A E w (q t) k + (Re k i * springs A E w (q t) k
    + (Re k i * printed A w (q t) (at_place k (viscous_entries E) nil) * v t k
    + Re k i * printed A w (q t) (at_place k (dry_entries E) nil) * sign (v t k)))))) by (intros; ring).
  rewrite !sum_plus, Hg, Hs, (onto_columns js us Re Se (v t) (a t) u u' rates_follow accelerations_follow).
  rewrite (along_rates js us Re (v t) u rates_follow (fun k => Re k i * printed A w (q t) (at_place k (viscous_entries E) nil))).
  unfold chain_tau. fold us js. rewrite !Rplus_assoc. f_equal; [|f_equal; [|f_equal; f_equal; f_equal]].
  - apply sum_ext. intros j J. now rewrite HM.
  - apply sum_ext. intros j J. f_equal. apply sum_ext. intros l L. now rewrite HG.
  - apply sum_ext. intros j J. now rewrite Hv'.
  - apply sum_ext. intros k K. now rewrite Hd.
Qed.
Lemma forces_follow K : (forall q v, kinetic_energy A w q v (K q v)) -> forall (tau : vector) (lambda : row -> R),
  (forall k, In k js -> lagrange (fun q v => K q v - potential_energy A w q) q v k t
    (tau k + sum (rows_of_A C) (fun c => Ae c k * lambda c) - friction A w (q t) (v t) k)) ->
  forall i, In i us -> sum js (fun k => Re k i * tau k) = chain_tau A C w (q t) (v t) u u' i.
Proof.
  intros HK f lambda HL i I. rewrite <- onto_rates by assumption.
  destruct (check_correct A E ok w) as [_ H]. destruct (H K HK q v a Hq Hv t) as [L _].
  rewrite (sum_ext js (fun k => Re k i * tau A E w (q t) (v t) (a t) k)
    (fun k => Re k i * f k + Re k i * sum (rows_of_A C) (fun c => Ae c k * lambda c))).
  - rewrite sum_plus, move_sum, (sum_ext (rows_of_A C) _ (fun _ => 0)); [rewrite sum_zero; ring|]. intros c Hc.
    rewrite (sum_ext js _ (fun k => Ae c k * Re k i)) by (intros; ring).
    destruct (A_R_and_slopes (q t) is_defined c i i Hc I I) as [-> _]. ring.
  - intros k K'. assert (X := lagrange_unique _ _ _ _ _ _ _ (L k K') (HL k K')). rewrite <- Rmult_plus_distr_l. f_equal. lra.
Qed.
Lemma power_of_rates K : (forall q v, kinetic_energy A w q v (K q v)) ->
  derivable_pt_lim (fun t => K (q t) (v t) + potential_energy A w (q t)) t
    (sum us (fun i => chain_tau A C w (q t) (v t) u u' i * u i) - sum js (fun k => friction A w (q t) (v t) k * v t k)).
Proof.
  intros HK. destruct (check_correct A E ok w) as [_ H]. destruct (H K HK q v a Hq Hv t) as [_ [_ [_ P]]]. fold js in P.
  assert (X : sum us (fun i => chain_tau A C w (q t) (v t) u u' i * u i) = sum js (fun k => tau A E w (q t) (v t) (a t) k * v t k)).
  { rewrite (along_rates js us Re (v t) u rates_follow (tau A E w (q t) (v t) (a t))). apply sum_ext. intros i I. f_equal.
    rewrite <- onto_rates by assumption. apply sum_ext. intros. ring. }
  rewrite X. replace (sum js (fun k => tau A E w (q t) (v t) (a t) k * v t k) - sum js (fun k => friction A w (q t) (v t) k * v t k))
    with (sum js (fun k => (tau A E w (q t) (v t) (a t) k - friction A w (q t) (v t) k) * v t k)); [exact P|].
  transitivity (sum js (fun k => tau A E w (q t) (v t) (a t) k * v t k + (-1) * (friction A w (q t) (v t) k * v t k))).
  - apply sum_ext. intros. ring.
  - rewrite sum_plus, sum_scal. ring.
Qed.
End Moving.
End Theorem_.

Theorem check_chain_correct A E C : check A E = true -> check_chain A E C = true -> correct_chain A C.
Proof.
  intros ok chain_ok w. split.
  - intros c q I. destruct (condition_parts A E C chain_ok c I) as [HA [HP _]].
    rewrite <- (condition_ok A w (keeps c) q HA), <- (eqbq_ok (arm_angles A) w q _ _ HP). symmetry. apply norm_entry_ok.
  - intros q v a Hq Hv. cbv zeta. split; [|intros t D; split].
    + intros c t I. destruct (condition_parts A E C chain_ok c I) as [HA [HP [_ HR]]].
      apply (rate_ok A w (distinct_js A E ok) q (v t) t (Hq t) c HA HP HR).
    + intros c j I J. apply (A_R_and_slopes A E C chain_ok w (q t) D c j j I J J).
    + intros kept R. split; [|split].
      * exact (rates_follow A E C chain_ok w q v t D kept R).
      * exact (accelerations_follow A E C ok chain_ok w q v a Hq Hv t D kept R).
      * intros K HK. split; [exact (power_of_rates A E C ok chain_ok w q v a Hq Hv t D kept R K HK)|].
        exact (forces_follow A E C ok chain_ok w q v a Hq Hv t D kept R K HK).
Qed.
