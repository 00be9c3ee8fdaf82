From Coq Require Import ZArith List Reals Lra Lia FunctionalExtensionality Bool.
From Qddot Require Import Statement Polynomials Mechanics Checker Steps.
Import ListNotations.
Open Scope R_scope.

Section Correct.
Variables (A : arm) (w : constants).
Let al := arm_angles A.
Let js := coordinates A.
Hypothesis distinct_js : NoDup js.
Notation qval := (qvalue al w).
Notation mval := (mval A w).
Notation bsum := (bsum A w).
Notation fsum := (fsum A w).

(* ---- kinetic energy ---- *)
(* A function that is linear in a matrix takes a sum of matrices to the sum of its values. *)
Lemma linear_sum (L : matrix -> R) (l : list (coordinate * qmat)) q v :
  (forall c X Y, L (fun i j => c * X i j + Y i j) = c * L X + L Y) ->
  sum l (fun x => v (fst x) * L (mval q (snd x))) = L (bsum q v l).
Proof.
  intros H. induction l as [|x l IH].
  - assert (Z : L (fun _ _ => 0) = 0).
    { assert (E : L (fun _ _ => 1 * 0 + 0) = 1 * L (fun _ _ => 0) + L (fun _ _ => 0)) by apply H.
      replace (fun _ _ : nat => 1 * 0 + 0) with (fun _ _ : nat => 0) in E by (extensionality i; extensionality j; ring). lra. }
    symmetry. exact Z.
  - transitivity (v (fst x) * L (mval q (snd x)) + L (bsum q v l)).
    + unfold sum in *. cbn [fold_right]. now rewrite IH.
    + rewrite <- H. reflexivity.
Qed.
Ltac by_rows := (* a trace is linear in a matrix since each of its rows is *)
  intros ? ? ?; unfold tr2;
  match goal with |- _ = ?c * sum4 ?f + sum4 ?g => transitivity (sum4 (fun i => c * f i + g i)) end;
  [ apply sum4_ext; intros; unfold bil, sum4; ring | unfold sum4; cbv beta; ring ].
Lemma conj_linear S T i j (l : list (coordinate * qmat)) q v :
  sum l (fun x => v (fst x) * conj S (mval q (snd x)) T i j) = conj S (bsum q v l) T i j.
Proof. apply (linear_sum (fun X => conj S X T i j)). intros. unfold conj, product, sum4. ring. Qed.
Lemma right_linear (Z : matrix) i j (l : list (coordinate * qmat)) q v :
  sum l (fun x => v (fst x) * sum4 (fun k => Z i k * mval q (snd x) j k)) = sum4 (fun k => Z i k * bsum q v l j k).
Proof. apply (linear_sum (fun X => sum4 (fun k => Z i k * X j k))). intros. unfold sum4. ring. Qed.
Lemma tr2_linear_left (Z Y : matrix) (l : list (coordinate * qmat)) q v :
  sum l (fun x => v (fst x) * tr2 (mval q (snd x)) Z Y) = tr2 (bsum q v l) Z Y.
Proof. apply (linear_sum (fun X => tr2 X Z Y)). by_rows. Qed.
Lemma tr2_linear_right (X Z : matrix) (l : list (coordinate * qmat)) q v :
  sum l (fun x => v (fst x) * tr2 X Z (mval q (snd x))) = tr2 X Z (bsum q v l).
Proof. apply (linear_sum (tr2 X Z)). by_rows. Qed.
Lemma tr2_linear_middle (X Y : matrix) (l : list (coordinate * qmat)) q v :
  sum l (fun x => v (fst x) * tr2 X (mval q (snd x)) Y) = tr2 X (bsum q v l) Y.
Proof. apply (linear_sum (fun Z => tr2 X Z Y)). by_rows. Qed.
Lemma dot_tr2 q X Z Y : qval q (qdot (qmul X Z) Y) = tr2 (mval q X) (mval q Z) (mval q Y).
Proof.
  unfold al. rewrite value_dot. transitivity (sum4 (fun i => sum4 (fun k => product (mval q X) (mval q Z) i k * mval q Y i k))).
  - apply sum4_ext. intros i I. apply sum4_ext. intros k L. now rewrite mval_mul.
  - unfold tr2, bil, product, sum4. ring.
Qed.

Definition Jq (t : tree) : qmat := fst (fst (composite A t) tt).
Definition Bq (t : tree) : list (coordinate * qmat) := snd (fst (composite A t) tt).
Definition Fq (t : tree) : form := snd (composite A t).
Definition own (l : link) (c : tree) : qmat := qadd (qmatrix (inertia_expr (body l))) (Jq c).
Lemma composite_link l c b : let S := step_q l in let dS := slopes A S in
  Jq (Link l c b) = qadd (fst (moved S dS (own l c) (Bq c))) (Jq b)
  /\ Bq (Link l c b) = snd (moved S dS (own l c) (Bq c)) ++ Bq b
  /\ Fq (Link l c b) = form_of S dS (own l c) (Bq c) ++ Fq c ++ Fq b.
Proof.
  unfold own, Jq, Bq, Fq. cbn [composite]. destruct (composite A c) as [f F]. destruct (composite A b) as [f' F'].
  cbn [fst snd]. destruct (f tt) as [J B]. cbn [fst snd]. destruct (f' tt) as [J' B']. cbn [fst snd].
  destruct (moved (step_q l) (slopes A (step_q l)) (qadd (qmatrix (inertia_expr (body l))) J) B) as [J1 B1]. auto.
Qed.
Lemma own_ok l c q : agrees A w q (own l c) (plus (pseudo_inertia A w (body l) q) (mval q (Jq c))).
Proof.
  intros i j I J. unfold own. rewrite mval_add by assumption. unfold plus. rewrite mval_exprs by assumption. f_equal. apply value_inertia.
Qed.
Lemma conj_ext S S' Z Z' T T' i j : (i < 4)%nat -> (j < 4)%nat ->
  (forall i j, (i < 4)%nat -> (j < 4)%nat -> S i j = S' i j) -> (forall i j, (i < 4)%nat -> (j < 4)%nat -> Z i j = Z' i j) ->
  (forall i j, (i < 4)%nat -> (j < 4)%nat -> T i j = T' i j) -> conj S Z T i j = conj S' Z' T' i j.
Proof. intros I J H G F. apply sum4_ext. intros b L. rewrite F by assumption. f_equal. now apply product_ext. Qed.

Section At.
Variables (q v : vector).
Lemma moved_J l J B : let S := step_q l in
  agrees A w q (fst (moved S (slopes A S) J B)) (conj (step A w l q) (mval q J) (step A w l q)).
Proof.
  cbv zeta. intros i j I K. unfold moved. cbn [fst]. rewrite mval_mul_t by assumption.
  apply sum4_ext. intros b L. rewrite mval_mul by assumption. rewrite (step_ok A w l q j b) by assumption. f_equal.
  apply product_ext; try assumption; intros; [now apply step_ok | reflexivity].
Qed.
Lemma moved_B l J B i j : (i < 4)%nat -> (j < 4)%nat -> let S := step_q l in
  bsum q v (snd (moved S (slopes A (step_q l)) J B)) i j
  = conj (step A w l q) (mval q J) (bsum q v (slopes A (step_q l))) i j + conj (step A w l q) (bsum q v B) (step A w l q) i j.
Proof.
  cbv zeta. intros I K. unfold moved. cbn [snd]. rewrite bsum_app. f_equal.
  - unfold Steps.bsum at 1. rewrite sum_map. cbn [fst snd].
    transitivity (sum (slopes A (step_q l)) (fun x => v (fst x) * sum4 (fun k => product (step A w l q) (mval q J) i k * mval q (snd x) j k))).
    + apply sum_ext. intros x _. f_equal. rewrite mval_mul_t by assumption. apply sum4_ext. intros k L. f_equal.
      rewrite mval_mul by assumption. apply product_ext; try assumption; intros; [now apply step_ok | reflexivity].
    + rewrite right_linear. reflexivity.
  - unfold Steps.bsum at 1. rewrite sum_map. cbn [fst snd].
    rewrite <- conj_linear. apply sum_ext. intros x _. f_equal. rewrite mval_mul_t by assumption. unfold conj. apply sum4_ext. intros k L.
    rewrite mval_mul by assumption. rewrite (step_ok A w l q j k) by assumption. f_equal.
    apply product_ext; try assumption; intros; [now apply step_ok | reflexivity].
Qed.
Lemma form_ok l J B : let S := step_q l in let S' := bsum q v (slopes A S) in
  fsum q v (form_of S (slopes A S) J B) = tr2 S' (mval q J) S' + 2 * tr2 S' (bsum q v B) (step A w l q).
Proof.
  intros S S'. unfold Steps.fsum, form_of. rewrite sum_app. f_equal.
  - rewrite sum_flat_map. unfold S'. rewrite <- tr2_linear_left. apply sum_ext. intros x _.
    rewrite sum_map. cbn [fst snd]. rewrite <- tr2_linear_right, <- sum_scal. apply sum_ext. intros y _. fold al. rewrite dot_tr2. ring.
  - rewrite sum_flat_map. unfold S'. rewrite <- tr2_linear_left, <- sum_scal. apply sum_ext. intros x _.
    rewrite sum_flat_map. rewrite <- tr2_linear_middle, <- !sum_scal. apply sum_ext. intros y _.
    cbn [fst snd]. unfold sum. cbn [fold_right fst snd]. fold al. rewrite dot_tr2.
    rewrite (tr2_ext (mval q (snd x)) (mval q (snd x)) (mval q (snd y)) (mval q (snd y)) (mval q S) (step A w l q)); try reflexivity; [ring|].
    intros; now apply step_ok.
Qed.
Lemma composite_inv t : good_steps A t = true ->
  (forall i j, (i < 4)%nat -> (j < 4)%nat -> mval q (Jq t) i j = mval q (Jq t) j i)
  /\ (forall i, (i < 4)%nat -> bsum q v (Bq t) i 3%nat = 0).
Proof.
  induction t as [|l c IHc b IHb]; intros H.
  - split.
    + intros i j I K. unfold Jq, Steps.mval. simpl fst. unfold zero_matrix. rewrite !ent_tab by assumption. reflexivity.
    + intros. reflexivity.
  - cbn [good_steps] in H. apply andb_prop in H. destruct H as [H Hb]. apply andb_prop in H. destruct H as [Hl Hc].
    destruct (IHc Hc) as [Sc Zc]. destruct (IHb Hb) as [Sb Zb].
    destruct (composite_link l c b) as [EJ [EB _]].
    assert (SJ : forall i j, (i < 4)%nat -> (j < 4)%nat -> mval q (own l c) i j = mval q (own l c) j i).
    { intros i j I K. rewrite !own_ok by assumption. unfold plus. rewrite (Sc i j), inertia_symmetric by assumption. reflexivity. }
    split.
    + intros i j I K. rewrite EJ, !mval_add by assumption. unfold plus. rewrite (Sb i j), !moved_J by assumption. f_equal.
      unfold conj, product, sum4.
      rewrite (SJ 1 0)%nat, (SJ 2 0)%nat, (SJ 3 0)%nat, (SJ 2 1)%nat, (SJ 3 1)%nat, (SJ 3 2)%nat by lia. ring.
    + intros i I. rewrite EB, bsum_app, Zb, moved_B by (assumption || lia).
      assert (R : forall k, (k < 4)%nat -> bsum q v (slopes A (step_q l)) 3%nat k = 0) by (intros; now apply bottom_rate).
      unfold conj. unfold sum4 at 1. rewrite (R 0%nat), (R 1%nat), (R 2%nat), (R 3%nat) by lia.
      unfold sum4. rewrite !(bottom_step A w l q) by lia. unfold delta. simpl Nat.eqb. cbv iota.
      unfold product, sum4. rewrite (Zc 0%nat), (Zc 1%nat), (Zc 2%nat), (Zc 3%nat) by lia. ring.
Qed.
Lemma diagonal X Z Y : (forall j, (j < 4)%nat -> X 3%nat j = 0) ->
  conj X Z Y 0%nat 0%nat + conj X Z Y 1%nat 1%nat + conj X Z Y 2%nat 2%nat = tr2 X Z Y.
Proof.
  intros H. unfold tr2, bil, conj, product, sum4. rewrite (H 0%nat), (H 1%nat), (H 2%nat), (H 3%nat) by lia. ring.
Qed.
Lemma conj_row X Z Y j : (forall j, (j < 4)%nat -> X 3%nat j = 0) -> conj X Z Y 3%nat j = 0.
Proof. intros H. unfold conj, product, sum4. rewrite (H 0%nat), (H 1%nat), (H 2%nat), (H 3%nat) by lia. ring. Qed.

Definition K_formula (P : matrix) (Pd : matrix) (t : tree) : R :=
  / 2 * (tr2 Pd (mval q (Jq t)) Pd + 2 * tr2 Pd (bsum q v (Bq t)) P + fsum q v (Fq t)).
Lemma K_step l c b (P Pd : matrix) : good_steps A (Link l c b) = true -> rigid P ->
  let S := step A w l q in let S' := bsum q v (slopes A (step_q l)) in let D := plus (product Pd S) (product P S') in
  K_formula P Pd (Link l c b) = / 2 * trace D (pseudo_inertia A w (body l) q) + K_formula (product P S) D c + K_formula P Pd b.
Proof.
  intros H [O _] S S' D. cbn [good_steps] in H. apply andb_prop in H. destruct H as [H Hb]. apply andb_prop in H. destruct H as [Hl Hc].
  destruct (composite_link l c b) as [EJ [EB EF]]. destruct (composite_inv c Hc) as [Sc Zc].
  unfold K_formula. rewrite EF. unfold Steps.fsum at 1. rewrite !sum_app.
  change (sum (form_of (step_q l) (slopes A (step_q l)) (own l c) (Bq c)) _) with (fsum q v (form_of (step_q l) (slopes A (step_q l)) (own l c) (Bq c))).
  change (sum (Fq c) _) with (fsum q v (Fq c)). change (sum (Fq b) _) with (fsum q v (Fq b)).
  rewrite form_ok. fold S S'.
  set (J := plus (pseudo_inertia A w (body l) q) (mval q (Jq c))).
  assert (SJ : forall i j, (i < 4)%nat -> (j < 4)%nat -> J i j = J j i).
  { intros i j I K. unfold J, plus. rewrite (Sc i j), inertia_symmetric by assumption. reflexivity. }
  rewrite (tr2_ext S' S' (mval q (own l c)) J S' S'); try reflexivity; [|intros; now apply own_ok].
  rewrite EJ, EB.
  rewrite (tr2_ext Pd Pd _ (plus (conj S J S) (mval q (Jq b))) Pd Pd); try reflexivity.
  2:{ intros i j I K. rewrite mval_add by assumption. unfold plus at 1 2. f_equal. rewrite moved_J by assumption.
      apply conj_ext; try assumption; try reflexivity. intros; now apply own_ok. }
  rewrite (tr2_ext Pd Pd (bsum q v _) (plus (plus (conj S J S') (conj S (bsum q v (Bq c)) S)) (bsum q v (Bq b))) P P); try reflexivity.
  2:{ intros i j I K. rewrite bsum_app. unfold plus at 1 2. f_equal. rewrite moved_B by assumption. fold S S'. unfold plus. f_equal.
      apply conj_ext; try assumption; try reflexivity. intros; now apply own_ok. }
  rewrite !tr2_plus, trace_tr2.
  assert (R : forall j, (j < 4)%nat -> S' 3%nat j = 0) by (intros; now apply bottom_rate).
  assert (X1 : tr2 D (pseudo_inertia A w (body l) q) D + tr2 D (mval q (Jq c)) D
    = tr2 Pd (conj S J S) Pd + 2 * tr2 Pd (conj S J S') P + tr2 S' J S').
  { rewrite <- tr2_plus. fold J. unfold D. rewrite !tr2_left, !tr2_right, (tr2_flip (product P S') J (product Pd S) SJ), !tr2_move.
    rewrite (tr2_ortho P (conj S' J S') O), diagonal; [ring | exact R |].
    intros i I. split; [|now apply conj_row]. unfold conj, sum4. rewrite (R 0%nat), (R 1%nat), (R 2%nat), (R 3%nat) by lia. ring. }
  assert (X2 : tr2 D (bsum q v (Bq c)) (product P S) = tr2 Pd (conj S (bsum q v (Bq c)) S) P + tr2 S' (bsum q v (Bq c)) S).
  { unfold D. rewrite tr2_left, !tr2_move.
    rewrite (tr2_ortho P (conj S' (bsum q v (Bq c)) S) O), diagonal; [ring | exact R |].
    intros i I. split; [|now apply conj_row]. unfold conj. unfold sum4 at 1. unfold S. rewrite !(bottom_step A w l q) by lia.
    unfold delta. simpl Nat.eqb. cbv iota. unfold product, sum4. rewrite (Zc 0%nat), (Zc 1%nat), (Zc 2%nat), (Zc 3%nat) by lia. ring. }
  rewrite X2. set (a := tr2 D (pseudo_inertia A w (body l) q) D) in *. set (d := tr2 D (mval q (Jq c)) D) in *.
  replace a with (tr2 Pd (conj S J S) Pd + 2 * tr2 Pd (conj S J S') P + tr2 S' J S' - d) by lra. field.
Qed.
End At.
Lemma kinetic_iff t : forall P Pd q v k, good_steps A t = true -> rigid (P q) ->
  (forall i j, (i < 4)%nat -> (j < 4)%nat -> is_rate (fun q => P q i j) q v (Pd i j)) ->
  (kinetic A w P t q v k <-> k = K_formula q v (P q) Pd t).
Proof.
  induction t as [|l c IHc b IHb]; intros P Pd q v k H HP Hd.
  - unfold K_formula. assert (Z : tr2 Pd (mval q (Jq Nothing)) Pd = 0).
    { rewrite (tr2_ext Pd Pd _ (fun _ _ => 0) Pd Pd); try reflexivity; [unfold tr2, bil, sum4; ring|].
      intros i j I J. unfold Jq, Steps.mval. simpl fst. unfold zero_matrix. rewrite ent_tab by assumption. apply qvalue_zero. }
    rewrite Z. unfold Steps.fsum, Fq, sum. simpl. 
    replace (tr2 Pd (bsum q v (Bq Nothing)) (P q)) with 0 by (unfold tr2, bil, Steps.bsum, Bq, sum, sum4; simpl; ring).
    split; intros E; rewrite E; ring.
  - assert (H' := H). cbn [good_steps] in H. apply andb_prop in H. destruct H as [H Hb]. apply andb_prop in H. destruct H as [Hl Hc].
    rewrite (K_step q v l c b (P q) Pd H' HP).
    set (D := plus (product Pd (step A w l q)) (product (P q) (bsum q v (slopes A (step_q l))))).
    assert (RD := product_rate A w distinct_js q v P Pd l Hl Hd). fold D in RD.
    assert (HPl : rigid (product (P q) (step A w l q))) by (apply rigid_product; [assumption | now apply rigid_step]).
    cbn [kinetic]. split.
    + intros [D' [k1 [k2 [E [E1 [E2 ->]]]]]].
      assert (ED : forall i j, (i < 4)%nat -> (j < 4)%nat -> D' i j = D i j).
      { intros i j I J. apply (uniqueness_limite (fun x => product (P (fun j => q j + x * v j)) (step A w l (fun j => q j + x * v j)) i j) 0); [now apply E | now apply RD]. }
      apply (IHc (fun q => product (P q) (step A w l q)) D q v k1 Hc HPl RD) in E1.
      apply (IHb P Pd q v k2 Hb HP Hd) in E2. rewrite E1, E2. f_equal. f_equal. f_equal.
      rewrite !trace_tr2. now apply tr2_ext.
    + intros ->. exists D. exists (K_formula q v (product (P q) (step A w l q)) D c). exists (K_formula q v (P q) Pd b).
      split; [exact RD|]. split; [exact (proj2 (IHc (fun q => product (P q) (step A w l q)) D q v _ Hc HPl RD) eq_refl)|].
      split; [exact (proj2 (IHb P Pd q v _ Hb HP Hd) eq_refl) | reflexivity].
Qed.
Lemma kinetic_root q v k : good_steps A (links A) = true ->
  (kinetic A w (fun _ => delta) (links A) q v k <-> k = / 2 * fsum q v (Fq (links A))).
Proof.
  intros H.
  rewrite (kinetic_iff (links A) (fun _ => delta) (fun _ _ => 0) q v k H rigid_delta) by (intros; apply derivable_pt_lim_const).
  unfold K_formula. replace (tr2 (fun _ _ => 0) (mval q (Jq (links A))) (fun _ _ => 0)) with 0 by (unfold tr2, bil, sum4; ring).
  replace (tr2 (fun _ _ => 0) (bsum q v (Bq (links A))) delta) with 0 by (unfold tr2, bil, sum4; ring).
  now rewrite Rmult_0_r, !Rplus_0_l.
Qed.

End Correct.
