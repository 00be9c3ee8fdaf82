From Coq Require Import ZArith List Reals Lra Lia FunctionalExtensionality Bool.
From Qddot Require Import Statement Polynomials Mechanics Checker Steps Kinetic.
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

(* ---- potential energy ---- *)
Definition mom (q : vector) (t : tree) (k : nat) : R := qval q (nth k (moments t) zeroq).
Lemma nth_four f k : (k < 4)%nat -> nth k (map f four) zeroq = f k.
Proof. intros L. four_cases k; reflexivity. Qed.
Lemma mom_link l c b q i : (i < 4)%nat -> mom q (Link l c b) i
  = sum4 (fun k => step A w l q i k * (pseudo_inertia A w (body l) q k 3%nat + mom q c k)) + mom q b i.
Proof.
  intros I. unfold mom. cbn [moments]. rewrite nth_four, qvalue_add by assumption. f_equal.
  unfold apply4. rewrite nth_four by assumption. unfold al. rewrite value_add4. apply sum4_ext. intros k L.
  rewrite qvalue_mul, qvalue_add, norm_ok, <- (step_ok A w l q i k) by assumption. f_equal. f_equal. apply value_inertia.
Qed.
Lemma potential_ok t : forall P q, potential A w P t q
  = sum [0; 1; 2]%nat (fun i => - value al w q (nth i (gravity A) zero) * sum4 (fun k => P q i k * mom q t k)).
Proof.
  induction t as [|l c IHc b IHb]; intros P q.
  - simpl. assert (Z : forall k, mom q Nothing k = 0).
    { intros k. unfold mom. simpl moments. destruct k as [|[|[|[|[|k]]]]]; apply qvalue_zero. }
    unfold sum, sum4. simpl. rewrite !Z. ring.
  - cbn [potential]. rewrite IHc, IHb. unfold sum. cbn [fold_right]. fold al. unfold product at 1 2 3, sum4.
    rewrite !mom_link by lia. unfold product, sum4. ring.
Qed.
Lemma potential_q_ok q : qval q (potential_q A) = potential_energy A w q.
Proof.
  unfold potential_q, potential_energy. rewrite qvalue_add, potential_ok. f_equal.
  - unfold sum. cbn [fold_right]. rewrite !qvalue_add, !qvalue_mul. unfold al. rewrite !norm_ok, !value_minus.
    assert (Z : qvalue (arm_angles A) w q zeroq = 0) by apply qvalue_zero. rewrite Z.
    unfold mom, sum4, delta. fold al. simpl Nat.eqb. cbv iota. ring.
  - unfold sum. fold js. induction js as [|j l IH]; simpl fold_right; [apply qvalue_zero|].
    rewrite qvalue_add. inversion distinct_js; subst. f_equal; [|now apply IH].
    unfold spring_q. unfold al. rewrite norm_ok. cbn [value]. rewrite value_minus. cbn [value atom_value]. field.
Qed.

(* ---- the form as a sum over the coordinates ---- *)
Lemma collect_sum q v F : forallb (fun x => existsb (Pos.eqb (fst (fst x))) js && existsb (Pos.eqb (snd (fst x))) js) F = true ->
  fsum q v F = sum js (fun i => sum js (fun j => qval q (collect F i j) * (v i * v j))).
Proof.
  induction F as [|[[a b] p] F IH]; intros H.
  - unfold Steps.fsum. rewrite (sum_ext js _ (fun _ => 0)).
    + rewrite sum_zero. reflexivity.
    + intros i _. rewrite (sum_ext js _ (fun _ => 0)); [apply sum_zero|]. intros j _. unfold collect. simpl. unfold zeroq. rewrite qvalue_zero. ring.
  - simpl in H. apply andb_prop in H. destruct H as [H HF]. apply andb_prop in H. destruct H as [Ha Hb].
    apply in_of_existsb in Ha. apply in_of_existsb in Hb.
    unfold Steps.fsum, sum at 1. cbn [fold_right fst snd]. change (fold_right _ 0 F) with (fsum q v F). rewrite IH by assumption.
    transitivity (sum js (fun i => sum js (fun j => qval q p * (v i * v j) * unit j b) * unit i a) + sum js (fun i => sum js (fun j => qval q (collect F i j) * (v i * v j)))).
    + f_equal. rewrite (sum_unit js distinct_js (fun i => sum js (fun j => qval q p * (v i * v j) * unit j b)) a Ha).
      rewrite (sum_unit js distinct_js (fun j => qval q p * (v a * v j)) b Hb). fold al. ring.
    + rewrite <- sum_plus. apply sum_ext. intros i _. rewrite (Rmult_comm _ (unit i a)), <- sum_scal, <- sum_plus. apply sum_ext. intros j _.
      unfold collect. cbn [fold_right fst snd]. unfold unit. rewrite (Pos.eqb_sym a i), (Pos.eqb_sym b j).
      destruct (Pos.eqb i a); destruct (Pos.eqb j b); rewrite ?qvalue_add; ring.
Qed.
End Correct.
