From Coq Require Import ZArith List Reals Lra Lia FunctionalExtensionality Bool.
From Qddot Require Import Statement Polynomials Mechanics Checker Steps Kinetic Potential.
Import ListNotations.
Open Scope R_scope.

Lemma distinct_ok l : distinct l = true -> NoDup l.
Proof.
  induction l as [|i l IH]; intros H; constructor; simpl in H; apply andb_prop in H; destruct H as [H1 H2].
  - intros I. assert (existsb (Pos.eqb i) l = true) by (apply existsb_exists; exists i; split; [assumption | apply Pos.eqb_refl]).
    rewrite H in H1. discriminate.
  - now apply IH.
Qed.
Lemma at_place_map {X Y} (f : X -> Y) i l d : at_place i (map f l) (f d) = f (at_place i l d).
Proof. unfold at_place. apply map_nth. Qed.
Lemma of_coordinate_map {X} (f : coordinate -> list X) k l : In k l -> of_coordinate k (map (fun k => (k, f k)) l) = f k.
Proof.
  induction l as [|a l IH]; simpl; [contradiction|]. destruct (Pos.eqb k a) eqn:E.
  - apply Pos.eqb_eq in E. now subst.
  - intros [->|H]; [rewrite Pos.eqb_refl in E; discriminate | now apply IH].
Qed.

Section Theorem_.
Variables (A : arm) (E : equations).
Let al := arm_angles A.
Let js := coordinates A.
Hypothesis ok : check A E = true.

Section Constants.
Variable w : constants.
Notation qval := (qvalue al w).
Definition dM_q (k : coordinate) : list (list qpoly) := map (map (d_qpoly al k)) (M_q E).

Lemma parts : distinct js = true /\ good_steps A (links A) = true
  /\ forallb (fun x => existsb (Pos.eqb (fst (fst x))) js && existsb (Pos.eqb (snd (fst x))) js) (Fq A (links A)) = true
  /\ all2 A (fun i j => eqbq (addq (collect (Fq A (links A)) i j) (rotor A i j)) (lower (M_q E) i j)) = true
  /\ forallb (forallb (within al js)) (M_q E) = true
  /\ (forall i j k, In i js -> In j js -> In k js -> Pos.leb k j = true ->
      eqbq (scaleq 2 (norm_entry (at_place k (at_place j (at_place i (Gamma_rows E) []) []) nil)))
        (addq (addq (lower (dM_q k) i j) (lower (dM_q j) i k)) (scaleq (-1) (lower (dM_q i) j k))) = true)
  /\ within al js (potential_q A) = true
  /\ (forall i, In i js -> eqbq (d_qpoly al i (potential_q A)) (addq (vector_entry (G_entries E) i) (vector_entry (spring_entries E) i)) = true)
  /\ (forall i, In i js -> eqbq (norm (viscous (joint_of A i))) (vector_entry (viscous_entries E) i) = true
      /\ eqbq (norm (dry (joint_of A i))) (vector_entry (dry_entries E) i) = true).
Proof.
  assert (H := ok). unfold check in H. cbv zeta in H. fold al js in H.
  apply andb_prop in H. destruct H as [H HF]. apply andb_prop in H. destruct H as [H HP].
  apply andb_prop in H. destruct H as [H HM]. apply andb_prop in H. destruct H as [H1 H2].
  apply andb_prop in HM. destruct HM as [HM HG]. apply andb_prop in HM. destruct HM as [HM HW]. apply andb_prop in HM. destruct HM as [HC HM].
  apply andb_prop in HP. destruct HP as [HPW HP].
  repeat (split; try assumption).
  - intros i j k I J L Q. rewrite forallb_forall in HG. apply HG in I as X. rewrite forallb_forall in X. apply X in J as Y.
    rewrite forallb_forall in Y. apply Y in L as Z. rewrite Q in Z.
    rewrite !(of_coordinate_map (fun k => map (map (d_qpoly al k)) (M_q E))) in Z by assumption. exact Z.
  - intros i I. rewrite forallb_forall in HP. now apply HP.
  - rewrite forallb_forall in HF. apply HF in H. apply andb_prop in H. tauto.
  - rewrite forallb_forall in HF. apply HF in H. apply andb_prop in H. tauto.
Qed.
Lemma distinct_js : NoDup js.
Proof. apply distinct_ok. apply parts. Qed.
Notation Mr := (M A E w).
Lemma M_ok q i j : qval q (lower (M_q E) i j) = Mr q i j.
Proof.
  unfold lower, M_q, M, printed. change [] with (map norm_entry []) at 1. rewrite !at_place_map. apply norm_entry_ok.
Qed.
Lemma M_symmetric q i j : Mr q i j = Mr q j i.
Proof. unfold M. now rewrite Pos.min_comm, Pos.max_comm. Qed.
Definition dMr q k i j := qval q (d_qpoly al k (lower (M_q E) i j)).
Lemma dM_ok q k i j : qval q (lower (dM_q k) i j) = dMr q k i j.
Proof.
  unfold dMr, dM_q, lower. unfold at_place.
  set (a := pred (Pos.to_nat (Pos.max i j))). set (b := pred (Pos.to_nat (Pos.min i j))).
  change [] with (map (d_qpoly al k) []) at 1. rewrite (map_nth (map (d_qpoly al k))).
  destruct (Nat.lt_ge_cases b (length (nth a (M_q E) []))) as [L|L].
  - rewrite (nth_indep _ (norm_entry nil) (d_qpoly al k (norm_entry nil))) by (rewrite map_length; assumption). now rewrite map_nth.
  - rewrite !nth_overflow by (rewrite ?map_length; assumption). unfold qvalue. simpl. unfold Rdiv. ring.
Qed.
Lemma lower_within i j : within al js (lower (M_q E) i j) = true.
Proof.
  destruct parts as [_ [_ [_ [_ [W _]]]]]. rewrite forallb_forall in W. unfold lower, at_place.
  set (a := pred (Pos.to_nat (Pos.max i j))). set (b := pred (Pos.to_nat (Pos.min i j))).
  destruct (Nat.lt_ge_cases a (length (M_q E))) as [La|La].
  - destruct (Nat.lt_ge_cases b (length (nth a (M_q E) []))) as [L|L]; [|rewrite nth_overflow by assumption; reflexivity].
    assert (R := W _ (nth_In (M_q E) [] La)). rewrite forallb_forall in R. apply R. now apply nth_In.
  - rewrite (nth_overflow (M_q E)) by assumption. destruct b; reflexivity.
Qed.
Lemma kinetic_is q v : kinetic_energy A w q v (/ 2 * sum js (fun i => sum js (fun j => Mr q i j * (v i * v j)))).
Proof.
  destruct parts as [_ [HS [HC [HM _]]]].
  exists (/ 2 * fsum A w q v (Fq A (links A))). split; [now apply (kinetic_root A w distinct_js)|]. fold al js.
  rewrite (collect_sum A w distinct_js q v _ HC). fold al js.
  transitivity (/ 2 * (sum js (fun i => sum js (fun j => qval q (collect (Fq A (links A)) i j) * (v i * v j)))
    + sum js (fun j => value al w q (armature (joint_of A j)) * (v j * v j)))).
  - f_equal. rewrite <- sum_plus. apply sum_ext. intros i I.
    transitivity (sum js (fun j => qval q (collect (Fq A (links A)) i j) * (v i * v j)) + sum js (fun j => value al w q (armature (joint_of A j)) * (v i * v j) * unit j i)).
    2:{ f_equal. apply (sum_unit js distinct_js (fun j => value al w q (armature (joint_of A j)) * (v i * v j)) i I). }
    rewrite <- sum_plus. apply sum_ext. intros j J.
    rewrite <- M_ok. unfold all2 in HM. rewrite forallb_forall in HM. apply HM in I as X. rewrite forallb_forall in X. apply X in J as Y.
    apply (eqbq_ok al w q) in Y. rewrite <- Y, qvalue_add. unfold rotor, unit.
    destruct (Pos.eqb i j) eqn:Q; [apply Pos.eqb_eq in Q; subst; rewrite norm_ok; ring | unfold zeroq; rewrite qvalue_zero; ring].
  - rewrite Rmult_plus_distr_l, <- (sum_scal js (/ 2) (fun j => value al w q (armature (joint_of A j)) * (v j * v j))). f_equal.
    apply sum_ext. intros. ring.
Qed.
Lemma kinetic_unique q v k : kinetic_energy A w q v k -> k = / 2 * sum js (fun i => sum js (fun j => Mr q i j * (v i * v j))).
Proof.
  intros [k0 [H ->]]. destruct parts as [_ [HS _]]. destruct (kinetic_is q v) as [k1 [H1 E1]].
  apply (kinetic_root A w distinct_js q v _ HS) in H. apply (kinetic_root A w distinct_js q v _ HS) in H1.
  fold js. fold js in E1. rewrite E1. now rewrite H, H1.
Qed.
Definition g q i := G A E w q i + springs A E w q i.
Lemma g_ok q i : In i js -> qval q (d_qpoly al i (potential_q A)) = g q i.
Proof.
  intros I. destruct parts as [_ [_ [_ [_ [_ [_ [_ [HP _]]]]]]]]. apply HP in I. apply (eqbq_ok al w q) in I.
  rewrite I, qvalue_add. unfold g, G, springs, printed, vector_entry. now rewrite !norm_entry_ok.
Qed.
Lemma moves (q : R -> vector) v t : (forall j, derivable_pt_lim (fun t => q t j) t (v j)) ->
  (forall i j, In i js -> In j js -> derivable_pt_lim (fun t => Mr (q t) i j) t (sum js (fun k => v k * dMr (q t) k i j)))
  /\ derivable_pt_lim (fun t => potential_energy A w (q t)) t (sum js (fun k => v k * g (q t) k)).
Proof.
  intros H. split.
  - intros i j I J. apply (lim_ext (fun t => qval (q t) (lower (M_q E) i j)) _ _ (qrate al w (q t) v (lower (M_q E) i j))).
    + intros s. apply M_ok.
    + rewrite (qrate_sum al w js distinct_js _ _ _ (lower_within i j)). reflexivity.
    + now apply qpath.
  - destruct parts as [_ [_ [_ [_ [_ [_ [HW _]]]]]]].
    apply (lim_ext (fun t => qval (q t) (potential_q A)) _ _ (qrate al w (q t) v (potential_q A))).
    + intros s. apply (potential_q_ok A w distinct_js).
    + rewrite (qrate_sum al w js distinct_js _ _ _ HW). apply sum_ext. intros k L. now rewrite g_ok.
    + now apply qpath.
Qed.
Lemma dM_symmetric q k i j : dMr q k i j = dMr q k j i.
Proof. unfold dMr, lower. now rewrite Pos.min_comm, Pos.max_comm. Qed.
Lemma christoffel_ordered q i j k : In i js -> In j js -> In k js -> (k <= j)%positive ->
  2 * Gamma A E w q i j k = dMr q k i j + dMr q j i k - dMr q i j k.
Proof.
  intros I J L O. destruct parts as [_ [_ [_ [_ [_ [HG _]]]]]].
  assert (X := HG i j k I J L (proj2 (Pos.leb_le k j) O)). apply (eqbq_ok al w q) in X.
  rewrite qvalue_scale, !qvalue_add, qvalue_scale, !dM_ok, norm_entry_ok in X.
  unfold Gamma, printed. rewrite Pos.max_l, Pos.min_r by assumption. fold al. rewrite X. ring.
Qed.
Lemma christoffel q i j k : In i js -> In j js -> In k js ->
  2 * Gamma A E w q i j k = dMr q k i j + dMr q j i k - dMr q i j k.
Proof.
  intros I J L. destruct (Pos.leb k j) eqn:O.
  - apply Pos.leb_le in O. now apply christoffel_ordered.
  - apply Pos.leb_gt, Pos.lt_le_incl in O. assert (X := christoffel_ordered q i k j I L J O).
    assert (Gamma A E w q i j k = Gamma A E w q i k j) as -> by (unfold Gamma; now rewrite Pos.min_comm, Pos.max_comm).
    rewrite X, (dM_symmetric q i k j). ring.
Qed.
End Constants.

Theorem check_correct : correct A E.
Proof.
  intros w. split.
  - exists (fun q v => / 2 * sum js (fun i => sum js (fun j => M A E w q i j * (v i * v j)))). intros. apply kinetic_is.
  - intros K HK q v a Hq Hv t.
    assert (KF : forall q v, K q v = / 2 * sum js (fun i => sum js (fun j => M A E w q i j * (v i * v j)))) by (intros; now apply kinetic_unique).
    assert (FR : forall i, In i js -> tau A E w (q t) (v t) (a t) i - friction A w (q t) (v t) i
      = force js (M A E w) (Gamma A E w) (g w) (q t) (v t) (a t) i).
    { intros i I. destruct parts as [_ [_ [_ [_ [_ [_ [_ [_ HF]]]]]]]]. destruct (HF i I) as [V D].
      apply (eqbq_ok al w (q t)) in V. apply (eqbq_ok al w (q t)) in D. rewrite norm_ok in V, D.
      unfold vector_entry in V, D. rewrite norm_entry_ok in V, D.
      unfold tau, friction, printed. fold al. rewrite V, D. unfold conservative, force, g, Cor, C. fold js. ring. }
    repeat split.
    + intros i I. fold js in I. rewrite (FR i I).
      apply (lagrange_holds js distinct_js K (potential_energy A w) (M A E w) (dMr w) (Gamma A E w) (g w) KF
        (M_symmetric w) (moves w) (christoffel w) q v a Hq Hv i t I).
    + intros. apply M_symmetric.
    + intros i j I J. apply (skew js (potential_energy A w) (M A E w) (dMr w) (Gamma A E w) (g w)
        (moves w) (christoffel w) (dM_symmetric w) q v Hq i j t I J).
    + fold js. rewrite (sum_ext js _ (fun i => force js (M A E w) (Gamma A E w) (g w) (q t) (v t) (a t) i * v t i)).
      * apply (power js K (potential_energy A w) (M A E w) (dMr w) (Gamma A E w) (g w) KF
          (M_symmetric w) (moves w) (christoffel w) (dM_symmetric w) q v a Hq Hv t).
      * intros i I. now rewrite FR.
Qed.
End Theorem_.
