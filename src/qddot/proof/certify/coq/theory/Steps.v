From Coq Require Import ZArith List Reals Lra Lia FunctionalExtensionality Bool.
From Qddot Require Import Statement Polynomials Mechanics Checker.
Import ListNotations.
Open Scope R_scope.

Ltac four_cases i := destruct i as [|[|[|[|i]]]]; [| | | | exfalso; lia].
Lemma ent_tab f i j : (i < 4)%nat -> (j < 4)%nat -> ent (tab f) i j = f i j.
Proof. intros I J. four_cases i; four_cases j; reflexivity. Qed.
Lemma sum4_ext f g : (forall i, (i < 4)%nat -> f i = g i) -> sum4 f = sum4 g.
Proof. intros H. unfold sum4. rewrite !H by lia. reflexivity. Qed.
Lemma product_ext A B X Y i j : (i < 4)%nat -> (j < 4)%nat ->
  (forall i j, (i < 4)%nat -> (j < 4)%nat -> A i j = X i j) -> (forall i j, (i < 4)%nat -> (j < 4)%nat -> B i j = Y i j) ->
  product A B i j = product X Y i j.
Proof. intros I J H G. apply sum4_ext. intros k L. rewrite H, G by lia. reflexivity. Qed.

(* ---- traces ---- *)
Definition bil (Z : matrix) (x y : nat -> R) : R := sum4 (fun k => sum4 (fun l => x k * Z k l * y l)).
Definition tr2 (X Z Y : matrix) : R := sum4 (fun i => bil Z (X i) (Y i)).
Definition conj (S Z T : matrix) : matrix := fun k l => sum4 (fun b => product S Z k b * T l b).
Definition plus (X Y : matrix) : matrix := fun i j => X i j + Y i j.
Lemma trace_tr2 D J : trace D J = tr2 D J D.
Proof. reflexivity. Qed.
Lemma bil_move S Z T x y : bil Z (fun l => sum4 (fun k => x k * S k l)) (fun l => sum4 (fun k => y k * T k l)) = bil (conj S Z T) x y.
Proof. unfold bil, conj, product, sum4. ring. Qed.
Lemma tr2_move X S Z Y T : tr2 (product X S) Z (product Y T) = tr2 X (conj S Z T) Y.
Proof. unfold tr2. apply sum4_ext. intros i _. apply bil_move. Qed.
Lemma bil_left Z x x' y : bil Z (fun k => x k + x' k) y = bil Z x y + bil Z x' y.
Proof. unfold bil, sum4. ring. Qed.
Lemma bil_right Z x y y' : bil Z x (fun k => y k + y' k) = bil Z x y + bil Z x y'.
Proof. unfold bil, sum4. ring. Qed.
Lemma bil_plus Z Z' x y : bil (plus Z Z') x y = bil Z x y + bil Z' x y.
Proof. unfold bil, plus, sum4. ring. Qed.
Lemma sum4_plus f g : sum4 (fun i => f i + g i) = sum4 f + sum4 g.
Proof. unfold sum4. ring. Qed.
Lemma tr2_left X X' Z Y : tr2 (plus X X') Z Y = tr2 X Z Y + tr2 X' Z Y.
Proof. unfold tr2, plus. rewrite <- sum4_plus. apply sum4_ext. intros. apply bil_left. Qed.
Lemma tr2_right X Z Y Y' : tr2 X Z (plus Y Y') = tr2 X Z Y + tr2 X Z Y'.
Proof. unfold tr2, plus. rewrite <- sum4_plus. apply sum4_ext. intros. apply bil_right. Qed.
Lemma tr2_plus X Z Z' Y : tr2 X (plus Z Z') Y = tr2 X Z Y + tr2 X Z' Y.
Proof. unfold tr2. rewrite <- sum4_plus. apply sum4_ext. intros. apply bil_plus. Qed.
Lemma bil_flip Z x y : (forall i j, (i < 4)%nat -> (j < 4)%nat -> Z i j = Z j i) -> bil Z x y = bil Z y x.
Proof.
  intros H. unfold bil, sum4. rewrite (H 1 0)%nat, (H 2 0)%nat, (H 3 0)%nat, (H 2 1)%nat, (H 3 1)%nat, (H 3 2)%nat by lia. ring.
Qed.
Lemma tr2_flip X Z Y : (forall i j, (i < 4)%nat -> (j < 4)%nat -> Z i j = Z j i) -> tr2 X Z Y = tr2 Y Z X.
Proof. intros H. unfold tr2. apply sum4_ext. intros. now apply bil_flip. Qed.
Lemma tr2_ext X X' Z Z' Y Y' : (forall i j, (i < 4)%nat -> (j < 4)%nat -> X i j = X' i j) ->
  (forall i j, (i < 4)%nat -> (j < 4)%nat -> Z i j = Z' i j) -> (forall i j, (i < 4)%nat -> (j < 4)%nat -> Y i j = Y' i j) ->
  tr2 X Z Y = tr2 X' Z' Y'.
Proof. intros H G F. unfold tr2, bil. apply sum4_ext; intros; apply sum4_ext; intros; apply sum4_ext; intros. now rewrite H, G, F. Qed.
Definition ortho (P : matrix) : Prop := forall i j, (i < 3)%nat -> (j < 3)%nat -> sum4 (fun r => P r i * P r j) = delta i j.
Lemma tr2_ortho P Z : ortho P -> (forall i, (i < 4)%nat -> Z i 3%nat = 0 /\ Z 3%nat i = 0) ->
  tr2 P Z P = Z 0%nat 0%nat + Z 1%nat 1%nat + Z 2%nat 2%nat.
Proof.
  intros O H.
  assert (HG : exists G : matrix, (forall i j, (i < 3)%nat -> (j < 3)%nat -> G i j = delta i j)
    /\ tr2 P Z P = sum4 (fun k => sum4 (fun l => Z k l * G k l))).
  { exists (fun k l => sum4 (fun r => P r k * P r l)). split; [exact O | unfold tr2, bil, sum4; ring]. }
  destruct HG as [G [HG ->]]. unfold sum4.
  destruct (H 0%nat) as [-> ->]; [lia|]. destruct (H 1%nat) as [-> ->]; [lia|]. destruct (H 2%nat) as [-> ->]; [lia|].
  destruct (H 3%nat) as [-> _]; [lia|]. rewrite (HG 0 0)%nat, (HG 0 1)%nat, (HG 0 2)%nat, (HG 1 0)%nat, (HG 1 1)%nat, (HG 1 2)%nat, (HG 2 0)%nat, (HG 2 1)%nat, (HG 2 2)%nat by lia. unfold delta. simpl. ring.
Qed.
Definition rigid (P : matrix) : Prop := ortho P /\ forall j, (j < 4)%nat -> P 3%nat j = delta 3 j.
Lemma rigid_product P S : rigid P -> rigid S -> rigid (product P S).
Proof.
  intros [O B] [O' B']. split.
  - intros i j I J.
    assert (HG : exists G : matrix, (forall i j, (i < 3)%nat -> (j < 3)%nat -> G i j = delta i j)
      /\ sum4 (fun r => product P S r i * product P S r j) = sum4 (fun a => sum4 (fun b => S a i * S b j * G a b))).
    { exists (fun k l => sum4 (fun r => P r k * P r l)). split; [exact O | unfold product, sum4; ring]. }
    destruct HG as [G [HG ->]]. assert (E := O' i j I J). unfold sum4 in *.
    assert (delta 3 i = 0) as X by (unfold delta; destruct i as [|[|[|i]]]; try reflexivity; lia).
    assert (delta 3 j = 0) as Y by (unfold delta; destruct j as [|[|[|j]]]; try reflexivity; lia).
    assert (Si : S 3%nat i = 0) by (rewrite B' by lia; exact X). assert (Sj : S 3%nat j = 0) by (rewrite B' by lia; exact Y).
    rewrite <- E, Si, Sj. rewrite (HG 0 0)%nat, (HG 0 1)%nat, (HG 0 2)%nat, (HG 1 0)%nat, (HG 1 1)%nat, (HG 1 2)%nat, (HG 2 0)%nat, (HG 2 1)%nat, (HG 2 2)%nat by lia.
    unfold delta. simpl Nat.eqb. cbv iota. ring.
  - intros j J. unfold product, sum4. rewrite <- B', (B 0)%nat, (B 1)%nat, (B 2)%nat, (B 3)%nat by lia.
    unfold delta. simpl Nat.eqb. cbv iota. ring.
Qed.
Lemma rigid_delta : rigid delta.
Proof.
  split; [|reflexivity]. intros i j I J. unfold sum4, delta.
  destruct i as [|[|[|i]]]; [| | |lia]; (destruct j as [|[|[|j]]]; [| | |lia]); simpl; ring.
Qed.

Section Values.
Variables (A : arm) (w : constants).
Let al := arm_angles A.
Let js := coordinates A.
Notation qval := (qvalue al w).
Definition mval (q : vector) (m : qmat) : matrix := fun i j => qval q (ent m i j).
Definition agrees (q : vector) (m : qmat) (X : matrix) : Prop := forall i j, (i < 4)%nat -> (j < 4)%nat -> mval q m i j = X i j.
Lemma qval_zero q : qval q zeroq = 0.
Proof. apply qvalue_zero. Qed.
Lemma value_add4 q f : qval q (add4 f) = sum4 (fun i => qval q (f i)).
Proof. unfold add4, sum4. rewrite !qvalue_add. ring. Qed.
Lemma mval_mul q X Y : agrees q (qmul X Y) (product (mval q X) (mval q Y)).
Proof. intros i j I J. unfold mval at 1, qmul. rewrite ent_tab, value_add4 by lia. apply sum4_ext. intros. apply qvalue_mul. Qed.
Lemma mval_mul_t q X Y : agrees q (qmul_t X Y) (fun i j => sum4 (fun k => mval q X i k * mval q Y j k)).
Proof. intros i j I J. unfold mval at 1, qmul_t. rewrite ent_tab, value_add4 by lia. apply sum4_ext. intros. apply qvalue_mul. Qed.
Lemma mval_add q X Y : agrees q (qadd X Y) (plus (mval q X) (mval q Y)).
Proof. intros i j I J. unfold mval at 1, qadd. rewrite ent_tab by lia. apply qvalue_add. Qed.
Lemma value_dot q X Y : qval q (qdot X Y) = sum4 (fun i => sum4 (fun k => mval q X i k * mval q Y i k)).
Proof. unfold qdot. rewrite value_add4. apply sum4_ext. intros. rewrite value_add4. apply sum4_ext. intros. apply qvalue_mul. Qed.
Lemma mval_exprs q f : agrees q (qmatrix f) (fun i j => value al w q (f i j)).
Proof. intros i j I J. unfold mval, qmatrix. rewrite ent_tab by lia. apply norm_ok. Qed.

(* the description *)
Lemma value_num q z : value al w q (Num z 1) = IZR z.
Proof. simpl. field. Qed.
Lemma value_minus q x : value al w q (minus x) = - value al w q x.
Proof. simpl. field. Qed.
Lemma value_delta q i j : value al w q (delta_expr i j) = delta i j.
Proof. unfold delta_expr, delta, one, zero. destruct (Nat.eqb i j); apply value_num. Qed.
Lemma value_pose q m i j : value al w q (pose_expr m i j) = pose A w m q i j.
Proof. destruct i as [|[|[|[|i]]]]; try reflexivity. apply value_delta. Qed.
Lemma value_multiple q k n : value al w q (fst (multiple k n)) = cos (INR n * angle al w q k)
  /\ value al w q (snd (multiple k n)) = sin (INR n * angle al w q k).
Proof.
  induction n as [|n [C S]].
  - cbn [multiple fst snd]. unfold one, zero. rewrite !value_num. simpl INR. rewrite Rmult_0_l, cos_0, sin_0. split; reflexivity.
  - cbn [multiple]. destruct (multiple k n) as [c s]. cbn [fst snd] in *.
    rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, cos_plus, sin_plus, <- C, <- S.
    cbn [value]. rewrite value_minus. cbn [value atom_value]. split; ring.
Qed.
Lemma value_cross q (u : nat -> expr) i j : value al w q (cross_expr u i j) = cross (fun k => value al w q (u k)) i j.
Proof.
  destruct i as [|[|[|i]]]; destruct j as [|[|[|j]]]; cbn [cross_expr cross]; rewrite ?value_minus; try reflexivity; apply value_num.
Qed.
Lemma value_motion q m i j : value al w q (motion_expr m i j) = motion_pose A w m q i j.
Proof.
  destruct m as [|axis k n|axis x].
  - apply value_delta.
  - unfold motion_expr, motion_pose. destruct (value_multiple q k n) as [C S]. destruct (multiple k n) as [c s]. cbn [fst snd] in *. fold al.
    assert (G : value al w q (Add (Add (Mul c (delta_expr i j)) (Mul s (cross_expr (fun i => nth i axis zero) i j)))
      (Mul (Add one (minus c)) (Mul (nth i axis zero) (nth j axis zero))))
      = cos (INR n * angle al w q k) * delta i j + sin (INR n * angle al w q k) * cross (fun i => value al w q (nth i axis zero)) i j
        + (1 - cos (INR n * angle al w q k)) * (value al w q (nth i axis zero) * value al w q (nth j axis zero))).
    { rewrite <- C, <- S. cbn [value]. rewrite value_delta, value_cross, value_minus. unfold one. rewrite value_num. ring. }
    destruct i as [|[|[|[|i]]]]; destruct j as [|[|[|[|j]]]]; try apply value_delta; exact G.
  - unfold motion_expr, motion_pose.
    destruct i as [|[|[|[|i]]]]; destruct j as [|[|[|[|j]]]]; try apply value_delta; reflexivity.
Qed.
Lemma value_second q t i j : value al w q (second_expr t i j) = second_moment A w t q i j.
Proof.
  unfold second_expr, second_moment. cbn [value]. rewrite value_minus, value_delta.
  change (fun i j => value al w q (tensor_expr t i j)) with (tensor_entry A w t q).
  unfold tensor_entry, tensor_expr. fold al. field.
Qed.
Lemma value_inertia q b i j : value al w q (inertia_expr b i j) = pseudo_inertia A w b q i j.
Proof.
  assert (Z : value al w q zero = 0) by apply value_num. assert (O : value al w q one = 1) by apply value_num.
  destruct b as [m c t|m h t]; unfold inertia_expr, pseudo_inertia.
  - destruct i as [|[|[|[|i]]]]; destruct j as [|[|[|[|j]]]]; cbn [value]; rewrite ?value_second, ?Z, ?O; reflexivity.
  - destruct i as [|[|[|[|i]]]]; destruct j as [|[|[|[|j]]]]; rewrite ?value_second; reflexivity.
Qed.
Lemma step_ok l q : agrees q (step_q l) (step A w l q).
Proof.
  intros i j I J. unfold step_q. rewrite mval_mul by assumption. unfold step. apply product_ext; try assumption.
  - intros a b Ha Hb. rewrite mval_mul by assumption. apply product_ext; try assumption; intros; rewrite mval_exprs by assumption;
      [apply value_pose | apply value_motion].
  - intros a b Ha Hb. rewrite mval_exprs by assumption. apply value_pose.
Qed.
Lemma inertia_symmetric b q i j : (i < 4)%nat -> (j < 4)%nat -> pseudo_inertia A w b q i j = pseudo_inertia A w b q j i.
Proof.
  intros I J. destruct b; four_cases i; four_cases j; unfold pseudo_inertia, second_moment, tensor_entry, delta; simpl Nat.eqb; cbv iota; try reflexivity; ring.
Qed.
Lemma bottom_pose m q j : pose A w m q 3%nat j = delta 3 j.
Proof. reflexivity. Qed.
Lemma bottom_motion m q j : motion_pose A w m q 3%nat j = delta 3 j.
Proof. destruct m; reflexivity. Qed.
Lemma bottom_product X Y j : (j < 4)%nat -> (forall j, (j < 4)%nat -> X 3%nat j = delta 3 j) -> (forall j, (j < 4)%nat -> Y 3%nat j = delta 3 j) ->
  product X Y 3%nat j = delta 3 j.
Proof.
  intros J HX HY. unfold product, sum4. rewrite <- HY, (HX 0)%nat, (HX 1)%nat, (HX 2)%nat, (HX 3)%nat by lia.
  unfold delta. simpl Nat.eqb. cbv iota. ring.
Qed.
Lemma bottom_step l q j : (j < 4)%nat -> step A w l q 3%nat j = delta 3 j.
Proof.
  intros J. unfold step. apply bottom_product; [assumption | intros | intros; apply bottom_pose].
  apply bottom_product; [assumption | intros; apply bottom_pose | intros; apply bottom_motion].
Qed.

Hypothesis distinct_js : NoDup js.

(* rates of steps *)
Section Rates.
Variables (q v : vector).
Lemma still : (fun j => q j + 0 * v j) = q.
Proof. apply functional_extensionality. intros. ring. Qed.
Lemma straight j : derivable_pt_lim (fun x => q j + x * v j) 0 (v j).
Proof.
  apply (lim_ext (fun x => q j + v j * x) _ _ (0 + v j * 1)); [intros; ring | ring |].
  apply (derivable_pt_lim_plus (fun _ => q j) (fun x => v j * x)); [apply derivable_pt_lim_const|].
  apply (derivable_pt_lim_scal (fun x => x)). apply derivable_pt_lim_id.
Qed.
Definition bsum (B : list (coordinate * qmat)) : matrix := fun i j => sum B (fun x => v (fst x) * mval q (snd x) i j).
Definition fsum (F : form) : R := sum F (fun x => v (fst (fst x)) * v (snd (fst x)) * qval q (snd x)).
Lemma sum_app {X} (l m : list X) f : sum (l ++ m) f = sum l f + sum m f.
Proof. unfold sum. induction l; simpl; [ring | rewrite IHl; ring]. Qed.
Lemma sum_map {X Y} (g : X -> Y) l f : sum (map g l) f = sum l (fun x => f (g x)).
Proof. unfold sum. induction l; simpl; [reflexivity | now rewrite IHl]. Qed.
Lemma sum_flat_map {X Y} (g : X -> list Y) l f : sum (flat_map g l) f = sum l (fun x => sum (g x) f).
Proof. induction l as [|x l IH]; [reflexivity|]. simpl flat_map. rewrite sum_app, IH. reflexivity. Qed.
Lemma not_nonzero m i j : some_nonzero m = false -> mval q m i j = 0.
Proof.
  unfold mval, ent, some_nonzero. intros H.
  destruct (Nat.lt_ge_cases i (length m)) as [L|L]; [|rewrite (nth_overflow m) by assumption; destruct j; apply qvalue_zero].
  assert (R : existsb nonzero (nth i m []) = false).
  { destruct (existsb nonzero (nth i m [])) eqn:X; [|reflexivity]. rewrite <- H. symmetry. apply existsb_exists. exists (nth i m []). split; [now apply nth_In | assumption]. }
  set (row := nth i m []) in *. destruct (Nat.lt_ge_cases j (length row)) as [L'|L']; [|rewrite nth_overflow by assumption; apply qvalue_zero].
  assert (N : nonzero (nth j row zeroq) = false).
  { destruct (nonzero (nth j row zeroq)) eqn:X; [|reflexivity]. rewrite <- R. symmetry. apply existsb_exists. exists (nth j row zeroq). split; [now apply nth_In | assumption]. }
  destruct (nth j row zeroq) as [d [|t p]]; [apply qvalue_zero | discriminate].
Qed.
Lemma slopes_sum S i j : (i < 4)%nat -> (j < 4)%nat -> bsum (slopes A S) i j = sum js (fun c => v c * qval q (d_qpoly al c (ent S i j))).
Proof.
  intros I J. unfold bsum, slopes. fold js. induction js as [|c l IH]; [reflexivity|].
  assert (Hl : NoDup l) by (inversion distinct_js; assumption).
  cbn [map filter]. cbn [snd]. unfold sum at 2. cbn [fold_right].
  assert (D : mval q (d_qmat A c S) i j = qval q (d_qpoly al c (ent S i j))) by (unfold mval, d_qmat; rewrite ent_tab by assumption; reflexivity).
  destruct (some_nonzero (d_qmat A c S)) eqn:N.
  - unfold sum at 1. cbn [fold_right fst snd]. rewrite D. f_equal. apply IH. exact Hl.
  - rewrite <- D, (not_nonzero _ i j N), Rmult_0_r, Rplus_0_l. apply IH. exact Hl.
Qed.
Lemma step_rate l i j : good_step A (step_q l) = true -> (i < 4)%nat -> (j < 4)%nat ->
  is_rate (fun q => step A w l q i j) q v (bsum (slopes A (step_q l)) i j).
Proof.
  intros H I J. unfold is_rate. rewrite slopes_sum by assumption.
  assert (W : within al js (ent (step_q l) i j) = true).
  { unfold good_step in H. apply andb_prop in H. destruct H as [_ H]. fold al js in H. rewrite forallb_forall in H.
    assert (R : In (nth i (step_q l) []) (step_q l)) by (apply nth_In; unfold step_q, qmul, tab; simpl; lia).
    apply H in R. rewrite forallb_forall in R. apply R. unfold ent. apply nth_In. four_cases i; simpl; lia. }
  rewrite <- (qrate_sum al w js distinct_js q v _ W).
  apply (lim_ext (fun x => qval (fun j => q j + x * v j) (ent (step_q l) i j)) _ _ (qrate al w (fun j => q j + 0 * v j) v (ent (step_q l) i j))).
  - intros x. now apply step_ok.
  - now rewrite still.
  - apply (qpath al w (fun x j => q j + x * v j) v 0). apply straight.
Qed.
Lemma bottom_rate l j : good_step A (step_q l) = true -> (j < 4)%nat -> bsum (slopes A (step_q l)) 3%nat j = 0.
Proof.
  intros H J. assert (R := step_rate l 3 j H ltac:(lia) J). unfold is_rate in R.
  apply (uniqueness_limite (fun _ => delta 3 j) 0); [|apply derivable_pt_lim_const].
  apply (lim_ext _ _ _ _ _ (fun x => bottom_step l _ j J) eq_refl R).
Qed.
Lemma rigid_step l : good_step A (step_q l) = true -> rigid (step A w l q).
Proof.
  intros H. split; [|intros; now apply bottom_step].
  unfold good_step in H. apply andb_prop in H. destruct H as [H _]. intros i j I J. unfold orthonormal in H.
  rewrite forallb_forall in H. assert (M : In i [0; 1; 2]%nat) by (destruct i as [|[|[|i]]]; simpl; auto; lia). apply H in M.
  rewrite forallb_forall in M. assert (N : In j [0; 1; 2]%nat) by (destruct j as [|[|[|j]]]; simpl; auto; lia). apply M in N.
  apply (eqbq_ok al w q) in N. rewrite value_add4 in N.
  transitivity (sum4 (fun r => qval q (mulq (ent (step_q l) r i) (ent (step_q l) r j)))).
  - apply sum4_ext. intros r R. rewrite qvalue_mul. now rewrite <- !step_ok by lia.
  - rewrite N. unfold delta. destruct (Nat.eqb i j); [unfold qvalue; simpl; unfold mono_value; simpl; field | apply qval_zero].
Qed.
Lemma bsum_app B B' i j : bsum (B ++ B') i j = bsum B i j + bsum B' i j.
Proof. apply sum_app. Qed.
Lemma product_rate (P : vector -> matrix) Pd l : good_step A (step_q l) = true ->
  (forall i j, (i < 4)%nat -> (j < 4)%nat -> is_rate (fun q => P q i j) q v (Pd i j)) ->
  forall i j, (i < 4)%nat -> (j < 4)%nat -> is_rate (fun q => product (P q) (step A w l q) i j) q v
    (plus (product Pd (step A w l q)) (product (P q) (bsum (slopes A (step_q l)))) i j).
Proof.
  intros H HP i j I J. unfold is_rate, product, plus.
  assert (R : forall k, (k < 4)%nat -> derivable_pt_lim (fun x => P (fun j => q j + x * v j) i k * step A w l (fun j => q j + x * v j) k j) 0
    (Pd i k * step A w l q k j + P q i k * bsum (slopes A (step_q l)) k j)).
  { intros k L. apply (deriv_mult _ _ _ (Pd i k) (bsum (slopes A (step_q l)) k j)); [now apply HP | now apply step_rate | now rewrite still]. }
  rewrite <- sum4_plus. unfold sum4. 
  apply (derivable_pt_lim_plus (fun x => _ + _ + _) (fun x => _)); [|apply (R 3%nat); lia].
  apply (derivable_pt_lim_plus (fun x => _ + _) (fun x => _)); [|apply (R 2%nat); lia].
  apply (derivable_pt_lim_plus (fun x => _) (fun x => _)); [apply (R 0%nat); lia | apply (R 1%nat); lia].
Qed.
End Rates.
End Values.
