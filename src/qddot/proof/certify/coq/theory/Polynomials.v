(* Polynomials in normal form with sin^2 = 1 - cos^2 and sqrt(n)^2 = n; their values and derivatives. *)
From Coq Require Import ZArith List Reals Lra Lia.
From Qddot Require Import Statement.
Import ListNotations.
Open Scope R_scope.

Definition atom_cmp (a b : atom) : comparison :=
  match a, b with
  | Sin i, Sin j | Cos i, Cos j | Coord i, Coord j | Par i, Par j | Root i, Root j => Pos.compare i j
  | Sin _, _ => Lt | _, Sin _ => Gt | Cos _, _ => Lt | _, Cos _ => Gt
  | Coord _, _ => Lt | _, Coord _ => Gt | Par _, _ => Lt | _, Par _ => Gt
  end.
Definition mono := list atom. (* in rising order, repeated for powers *)
Definition zpoly := list (mono * Z).
Definition qpoly := (positive * zpoly)%type. (* a common denominator *)

(* the lexicographic order of monomials, which products preserve *)
Fixpoint mono_cmp (m n : mono) : comparison :=
  match m, n with
  | [], [] => Eq | [], _ => Gt | _, [] => Lt
  | a :: m, b :: n => match atom_cmp a b with Eq => mono_cmp m n | c => c end
  end.
Fixpoint insert (a : atom) (m : mono) : mono :=
  match m with [] => [a] | b :: r => match atom_cmp a b with Gt => b :: insert a r | _ => a :: m end end.
Fixpoint take (a : atom) (m : mono) : option mono :=
  match m with
  | [] => None
  | b :: r => match atom_cmp a b with
    | Eq => Some r | Lt => None
    | Gt => match take a r with Some s => Some (b :: s) | None => None end
    end
  end.
Fixpoint addz (p : zpoly) : zpoly -> zpoly := fix go (q : zpoly) : zpoly :=
  match p, q with
  | [], _ => q
  | _, [] => p
  | (m, z) :: p', (n, w) :: q' =>
    match mono_cmp m n with
    | Lt => (m, z) :: addz p' q
    | Gt => (n, w) :: go q'
    | Eq => let s := (z + w)%Z in if Z.eqb s 0 then addz p' q' else (m, s) :: addz p' q'
    end
  end.
Definition scalez (z : Z) (p : zpoly) : zpoly :=
  match z with 1%Z => p | 0%Z => [] | _ => map (fun t => (fst t, (z * snd t)%Z)) p end.
Fixpoint pairs (l : list zpoly) : list zpoly := match l with p :: q :: r => addz p q :: pairs r | _ => l end.
Fixpoint total (fuel : nat) (l : list zpoly) : zpoly :=
  match fuel with
  | 0%nat => fold_right addz [] l
  | S f => match l with [] => [] | [p] => p | _ => total f (pairs l) end
  end.
Definition sumz := total 40.
Definition plain (a : atom) (p : zpoly) : zpoly := map (fun t => (insert a (fst t), snd t)) p.
Fixpoint split (a : atom) (p : zpoly) : zpoly * zpoly := (* the quotients of terms with a, the terms without it *)
  match p with
  | [] => ([], [])
  | (m, z) :: p => let (x, y) := split a p in
    match take a m with Some r => ((r, z) :: x, y) | None => (x, (m, z) :: y) end
  end.
Definition times (a : atom) (p : zpoly) : zpoly :=
  match a with
  | Sin k =>
    let (x, y) := split a p in
    match x with
    | [] => plain a y
    | _ => addz (plain a y) (addz x (scalez (-1) (plain (Cos k) (plain (Cos k) x))))
    end
  | Root n => let (x, y) := split a p in addz (plain a y) (scalez (Zpos n) x)
  | _ => plain a p
  end.
Definition times_mono (m : mono) (z : Z) (p : zpoly) : zpoly := fold_right times (scalez z p) m.
Definition mulz (p q : zpoly) : zpoly :=
  if (length p <=? length q)%nat then sumz (map (fun t => times_mono (fst t) (snd t) q) p)
  else sumz (map (fun t => times_mono (fst t) (snd t) p) q).
Fixpoint mono_eqb (m n : mono) : bool :=
  match m, n with
  | [], [] => true
  | a :: m, b :: n => match atom_cmp a b with Eq => mono_eqb m n | _ => false end
  | _, _ => false
  end.
Fixpoint zpoly_eqb (p q : zpoly) : bool :=
  match p, q with
  | [], [] => true
  | (m, z) :: p, (n, w) :: q => if mono_eqb m n then if Z.eqb z w then zpoly_eqb p q else false else false
  | _, _ => false
  end.

(* with denominators *)
Definition addq (x y : qpoly) : qpoly :=
  match x, y with
  | (_, []), _ => y
  | _, (_, []) => x
  | (d, p), (f, r) =>
    if Pos.eqb d f then (d, addz p r)
    else let (_, ab) := Pos.ggcd d f in let (a, b) := ab in
      ((d * b)%positive, addz (scalez (Zpos b) p) (scalez (Zpos a) r))
  end.
Definition mulq (x y : qpoly) : qpoly :=
  match x, y with
  | (_, []), _ | _, (_, []) => (1%positive, [])
  | (d, p), (f, r) => ((d * f)%positive, mulz p r)
  end.
Definition scaleq (z : Z) (x : qpoly) : qpoly := (fst x, scalez z (snd x)).
Definition eqbq (x y : qpoly) : bool :=
  let (d, p) := x in let (f, r) := y in
  if Pos.eqb d f then zpoly_eqb p r
  else let (_, ab) := Pos.ggcd d f in let (a, b) := ab in zpoly_eqb (scalez (Zpos b) p) (scalez (Zpos a) r).
Definition zeroq : qpoly := (1%positive, []).
Definition oneq : qpoly := (1%positive, [([], 1%Z)]).

Fixpoint norm (x : expr) : qpoly :=
  match x with
  | Num z d => (d, if Z.eqb z 0 then [] else [([], z)])
  | Atom a => (1%positive, [([a], 1%Z)])
  | Add x y => addq (norm x) (norm y)
  | Mul x y => mulq (norm x) (norm y)
  end.
Fixpoint norm_list (x : terms) : list zpoly :=
  match x with
  | Empty => []
  | T (z, p) t x => times_mono (p ++ t) 1 [([], z)] :: norm_list x
  end.
Definition norm_entry (x : entry) : qpoly := match x with Over d x => (d, sumz (norm_list x)) end.

Section Derivatives.
Variable al : angles.
(* [per] times the derivative by coordinate j *)
Definition turned_by (j : coordinate) (k : positive) : Z :=
  match nth_error (turning al) (pred (Pos.to_nat k)) with
  | Some (i, n) => if Pos.eqb i j then n else 0%Z
  | None => 0%Z
  end.
Definition d_atom (j : coordinate) (a : atom) : zpoly :=
  match a with
  | Sin k => match turned_by j k with 0%Z => [] | n => [([Cos k], n)] end
  | Cos k => match turned_by j k with 0%Z => [] | n => [([Sin k], (- n)%Z)] end
  | Coord i => if Pos.eqb i j then [([], Zpos (per al))] else []
  | _ => []
  end.
Definition times_any (a : atom) (p : zpoly) : zpoly := match p with [] => [] | _ => times a p end.
Fixpoint d_mono (j : coordinate) (m : mono) : zpoly :=
  match m with
  | [] => []
  | a :: r =>
    let rest := times_any a (d_mono j r) in
    match d_atom j a with [] => rest | p => addz (mulz p [(r, 1%Z)]) rest end
  end.
Definition d_zpoly (j : coordinate) (p : zpoly) : zpoly :=
  sumz (map (fun t => scalez (snd t) (d_mono j (fst t))) p).
Definition d_qpoly (j : coordinate) (x : qpoly) : qpoly := ((fst x * per al)%positive, d_zpoly j (snd x)).

(* whether a polynomial depends on the listed coordinates alone *)
Definition atom_within (js : list coordinate) (a : atom) : bool :=
  match a with
  | Sin k | Cos k => match nth_error (turning al) (pred (Pos.to_nat k)) with
    | Some (j, _) => existsb (Pos.eqb j) js | None => true end
  | Coord j => existsb (Pos.eqb j) js
  | _ => true
  end.
Definition within (js : list coordinate) (x : qpoly) : bool :=
  forallb (fun t => forallb (atom_within js) (fst t)) (snd x).

(* values *)
Variable w : constants.
Definition mono_value (q : vector) (m : mono) : R := product_of al w q m.
Local Arguments mono_value : simpl never.
Definition zvalue (q : vector) (p : zpoly) : R := fold_right (fun t r => mono_value q (fst t) * IZR (snd t) + r) 0 p.
Definition qvalue (q : vector) (x : qpoly) : R := zvalue q (snd x) / IZR (Zpos (fst x)).

Lemma positive_nonzero d : IZR (Zpos d) <> 0.
Proof. apply not_0_IZR. discriminate. Qed.
Hint Resolve positive_nonzero : core.

Lemma atom_cmp_eq a b : atom_cmp a b = Eq -> a = b.
Proof. destruct a, b; simpl; try discriminate; intros H; apply Pos.compare_eq in H; now subst. Qed.
Lemma mono_cmp_eq m : forall n, mono_cmp m n = Eq -> m = n.
Proof.
  induction m as [|a m IH]; destruct n as [|b n]; simpl; try discriminate; auto.
  destruct (atom_cmp a b) eqn:E; try discriminate. intros H. apply atom_cmp_eq in E. apply IH in H. now subst.
Qed.
Lemma mono_eqb_ok m : forall n, mono_eqb m n = true -> m = n.
Proof.
  induction m as [|a m IH]; destruct n as [|b n]; simpl; try discriminate; auto.
  destruct (atom_cmp a b) eqn:E; try discriminate. intros H. apply atom_cmp_eq in E. apply IH in H. now subst.
Qed.
Lemma zpoly_eqb_ok p : forall q, zpoly_eqb p q = true -> p = q.
Proof.
  induction p as [|[m z] p IH]; destruct q as [|[n v] q]; simpl; try discriminate; auto.
  destruct (mono_eqb m n) eqn:E; try discriminate. destruct (Z.eqb z v) eqn:F; try discriminate.
  intros H. apply mono_eqb_ok in E. apply Z.eqb_eq in F. apply IH in H. now subst.
Qed.

Section At.
Variable q : vector.
Notation val := (zvalue q).
Notation aval := (atom_value al w q).
Notation mval := (mono_value q).
Lemma mono_cons a m : mval (a :: m) = aval a * mval m.
Proof. reflexivity. Qed.
Lemma mono_insert a m : mval (insert a m) = aval a * mval m.
Proof.
  induction m as [|b r IH]; simpl; [reflexivity|].
  destruct (atom_cmp a b); try reflexivity. rewrite !mono_cons, IH. ring.
Qed.
Lemma mono_take a m : forall r, take a m = Some r -> mval m = aval a * mval r.
Proof.
  induction m as [|b m IH]; simpl; [discriminate|]. intros r.
  destruct (atom_cmp a b) eqn:E; try discriminate.
  - apply atom_cmp_eq in E. intros H. inversion H. subst. reflexivity.
  - destruct (take a m) as [s|]; try discriminate. intros H. inversion H. subst.
    rewrite !mono_cons, (IH s) by reflexivity. ring.
Qed.
Lemma mono_app m n : mval (m ++ n) = mval m * mval n.
Proof. induction m as [|a m IH]; simpl; [change (mval []) with 1; ring|]. rewrite !mono_cons, IH. ring. Qed.
Lemma value_cons m z p : val ((m, z) :: p) = mval m * IZR z + val p.
Proof. reflexivity. Qed.
Lemma value_add p : forall r, val (addz p r) = val p + val r.
Proof.
  induction p as [|[m z] p IHp]; intros r.
  - destruct r as [|[n v] r]; simpl; ring.
  - induction r as [|[n v] r IHr]; [simpl; ring|].
    simpl. destruct (mono_cmp m n) eqn:E.
    + apply mono_cmp_eq in E. subst. destruct (Z.eqb (z + v) 0) eqn:F.
      * apply Z.eqb_eq in F. rewrite IHp. assert (IZR z = - IZR v) as -> by (rewrite <- opp_IZR; f_equal; lia). ring.
      * rewrite value_cons, IHp, plus_IZR. ring.
    + rewrite value_cons, IHp. simpl. ring.
    + rewrite value_cons. simpl in IHr. rewrite IHr. ring.
Qed.
Lemma value_map_scale z p : val (map (fun t => (fst t, (z * snd t)%Z)) p) = IZR z * val p.
Proof. induction p as [|[m v] p IH]; [simpl; ring|]. cbn [map fst snd]. rewrite !value_cons, IH, mult_IZR. ring. Qed.
Lemma value_scale z p : val (scalez z p) = IZR z * val p.
Proof. destruct z as [|[]|]; unfold scalez; rewrite ?value_map_scale; simpl val; ring. Qed.
Definition vsum (l : list zpoly) := fold_right (fun p r => val p + r) 0 l.
Lemma value_pairs : forall n l, (length l <= n)%nat -> vsum (pairs l) = vsum l.
Proof.
  induction n; intros l H; destruct l as [|p [|r s]]; simpl in *; try reflexivity; try lia.
  rewrite value_add, IHn by lia. ring.
Qed.
Lemma value_total f : forall l, val (total f l) = vsum l.
Proof.
  assert (B : forall l, val (fold_right addz [] l) = vsum l)
    by (induction l; simpl; [reflexivity | rewrite value_add, IHl; ring]).
  induction f; intros l; [apply B|]. destruct l as [|p [|r s]]; [reflexivity | simpl; ring |].
  change (val (total f (pairs (p :: r :: s))) = vsum (p :: r :: s)). rewrite IHf. apply (value_pairs (length (p :: r :: s))). lia.
Qed.
Lemma value_sumz l : val (sumz l) = vsum l.
Proof. apply value_total. Qed.
Lemma value_plain a p : val (plain a p) = aval a * val p.
Proof. induction p as [|[m z] p IH]; simpl; [ring|]. rewrite mono_insert, IH. ring. Qed.
Lemma value_split a p : val p = aval a * val (fst (split a p)) + val (snd (split a p)).
Proof.
  induction p as [|[m z] p IH]; simpl; [ring|]. destruct (split a p) as [x y]. simpl in IH.
  destruct (take a m) as [r|] eqn:E; simpl; rewrite IH; [rewrite (mono_take _ _ _ E)|]; ring.
Qed.
Lemma value_times a p : val (times a p) = aval a * val p.
Proof.
  destruct a; try apply value_plain; unfold times; rewrite (value_split (Sin angle) p) || rewrite (value_split (Root n) p).
  - destruct (split (Sin angle) p) as [x y]. simpl fst. simpl snd.
    destruct x as [|t x]; [rewrite value_plain; simpl; ring|].
    rewrite !value_add, value_scale, !value_plain. set (u := val (t :: x)). simpl.
    assert (H := sin2_cos2 (Statement.angle al w q angle)). unfold Rsqr in H.
    replace (sin (Statement.angle al w q angle) * (sin (Statement.angle al w q angle) * u + val y)) with
      (sin (Statement.angle al w q angle) * sin (Statement.angle al w q angle) * u + sin (Statement.angle al w q angle) * val y) by ring.
    replace (sin (Statement.angle al w q angle) * sin (Statement.angle al w q angle)) with
      (1 - cos (Statement.angle al w q angle) * cos (Statement.angle al w q angle)) by lra. ring.
  - destruct (split (Root n) p) as [x y]. simpl fst. simpl snd. rewrite value_add, value_scale, value_plain. simpl.
    assert (H : sqrt (IZR (Zpos n)) * sqrt (IZR (Zpos n)) = IZR (Zpos n)) by (apply sqrt_sqrt, IZR_le; discriminate).
    set (s := sqrt (IZR (Zpos n))) in *. replace (s * (s * val x + val y)) with (s * s * val x + s * val y) by ring.
    rewrite H. ring.
Qed.
Lemma value_times_mono m z p : val (times_mono m z p) = mval m * IZR z * val p.
Proof.
  unfold times_mono. induction m as [|a m IH]; simpl; [rewrite value_scale; unfold mono_value; simpl; ring|].
  rewrite value_times, IH, mono_cons. ring.
Qed.
Lemma vsum_map (f : mono * Z -> zpoly) c :
  (forall t, val (f t) = c * (mval (fst t) * IZR (snd t))) -> forall l, vsum (map f l) = c * val l.
Proof.
  intros H. induction l as [|t l IH]; [simpl; ring|].
  change (val (f t) + vsum (map f l) = c * (mval (fst t) * IZR (snd t) + val l)). rewrite IH, H. ring.
Qed.
Lemma value_mul p r : val (mulz p r) = val p * val r.
Proof.
  unfold mulz. destruct (length p <=? length r)%nat; rewrite value_sumz.
  - rewrite (vsum_map _ (val r)); [ring|]. intros t. rewrite value_times_mono. ring.
  - rewrite (vsum_map _ (val p)); [ring|]. intros t. rewrite value_times_mono. ring.
Qed.

Notation qval := (qvalue q).
Lemma ggcd_split d f : let (_, ab) := Pos.ggcd d f in let (a, b) := ab in (d * b = f * a)%positive.
Proof.
  assert (H := Pos.ggcd_correct_divisors d f). destruct (Pos.ggcd d f) as [g [a b]]. destruct H as [-> ->]. lia.
Qed.
Lemma over_common d f a b p r : (d * b = f * a)%positive ->
  val p / IZR (Zpos d) + val r / IZR (Zpos f)
  = (IZR (Zpos b) * val p + IZR (Zpos a) * val r) / IZR (Zpos (d * b)).
Proof.
  intros H.
  assert (F : IZR (Zpos d) * IZR (Zpos b) = IZR (Zpos f) * IZR (Zpos a)) by (rewrite <- !mult_IZR; f_equal; lia).
  assert (X : / IZR (Zpos f) = IZR (Zpos a) * (/ IZR (Zpos d) * / IZR (Zpos b))).
  { apply (Rmult_eq_reg_l (IZR (Zpos f))); auto. rewrite Rinv_r, <- Rmult_assoc, <- F by auto. field. auto. }
  rewrite Pos2Z.inj_mul, mult_IZR. unfold Rdiv at 1 2.
  rewrite X. field. auto.
Qed.
Lemma qvalue_zero d : qval (d, []) = 0.
Proof. unfold qvalue. simpl. unfold Rdiv. ring. Qed.
Lemma qvalue_add x y : qval (addq x y) = qval x + qval y.
Proof.
  destruct x as [d p], y as [f r]. unfold addq. destruct p as [|t p]; [rewrite qvalue_zero; ring|].
  destruct r as [|s r]; [rewrite qvalue_zero; ring|]. destruct (Pos.eqb d f) eqn:E.
  - apply Pos.eqb_eq in E. subst. unfold qvalue. cbn [fst snd]. rewrite value_add. field. auto.
  - assert (H := ggcd_split d f). destruct (Pos.ggcd d f) as [g [a b]]. unfold qvalue. cbn [fst snd].
    rewrite value_add, !value_scale. symmetry. now apply over_common.
Qed.
Lemma qvalue_mul x y : qval (mulq x y) = qval x * qval y.
Proof.
  destruct x as [d p], y as [f r]. unfold mulq. destruct p as [|t p]; [rewrite !qvalue_zero; ring|].
  destruct r as [|s r]; [rewrite !qvalue_zero; ring|].
  unfold qvalue. cbn [fst snd]. rewrite value_mul, Pos2Z.inj_mul, mult_IZR. field. auto.
Qed.
Lemma qvalue_scale z x : qval (scaleq z x) = IZR z * qval x.
Proof. unfold qvalue, scaleq. cbn [fst snd]. rewrite value_scale. field. auto. Qed.
Lemma eqbq_ok x y : eqbq x y = true -> qval x = qval y.
Proof.
  destruct x as [d p], y as [f r]. unfold eqbq. destruct (Pos.eqb d f) eqn:E.
  - intros H. apply Pos.eqb_eq in E. apply zpoly_eqb_ok in H. now subst.
  - assert (H := ggcd_split d f). destruct (Pos.ggcd d f) as [g [a b]]. intros F. apply zpoly_eqb_ok in F.
    assert (V : IZR (Zpos b) * val p = IZR (Zpos a) * val r) by (rewrite <- !value_scale; now rewrite F).
    unfold qvalue. cbn [fst snd].
    assert (D := over_common d f a b p [] H). assert (D' := over_common d f a b [] r H).
    simpl (val []) in *. unfold Rdiv in *. rewrite Rmult_0_l, Rplus_0_r in D. rewrite Rmult_0_l, Rplus_0_l in D'.
    rewrite D, D', V. ring.
Qed.
Theorem norm_ok x : qval (norm x) = value al w q x.
Proof.
  induction x; cbn [norm value].
  - unfold qvalue. cbn [fst snd]. destruct (Z.eqb z 0) eqn:E; [apply Z.eqb_eq in E; subst|]; simpl; unfold mono_value; simpl; field; auto.
  - unfold qvalue. simpl. unfold mono_value. simpl. field.
  - now rewrite qvalue_add, IHx1, IHx2.
  - now rewrite qvalue_mul, IHx1, IHx2.
Qed.
Lemma norm_list_ok x : vsum (norm_list x) = terms_value al w q x.
Proof.
  induction x as [|[z p] t x IH]; [reflexivity|]. cbn [norm_list terms_value].
  change (vsum (times_mono (p ++ t) 1 [([], z)] :: norm_list x)) with (val (times_mono (p ++ t) 1 [([], z)]) + vsum (norm_list x)).
  rewrite IH, value_times_mono, mono_app. simpl. unfold mono_value. simpl. ring.
Qed.
Lemma norm_entry_ok x : qval (norm_entry x) = entry_value al w q x.
Proof. destruct x as [d x]. unfold qvalue. cbn [norm_entry fst snd entry_value]. now rewrite value_sumz, norm_list_ok. Qed.
End At.

(* derivatives along a path with rates v *)
Definition rate_of (v : vector) (k : positive) : R :=
  match nth_error (turning al) (pred (Pos.to_nat k)) with
  | Some (j, n) => IZR n / IZR (Zpos (per al)) * v j
  | None => 0
  end.
Definition atom_rate (q v : vector) (a : atom) : R :=
  match a with
  | Sin k => cos (Statement.angle al w q k) * rate_of v k
  | Cos k => - sin (Statement.angle al w q k) * rate_of v k
  | Coord j => v j
  | _ => 0
  end.
Fixpoint mono_rate (q v : vector) (m : mono) : R :=
  match m with [] => 0 | a :: m => atom_rate q v a * mono_value q m + atom_value al w q a * mono_rate q v m end.
Definition zrate (q v : vector) (p : zpoly) : R := fold_right (fun t r => mono_rate q v (fst t) * IZR (snd t) + r) 0 p.
Definition qrate (q v : vector) (x : qpoly) : R := zrate q v (snd x) / IZR (Zpos (fst x)).

Lemma lim_ext f g t l l' : (forall t, f t = g t) -> l = l' -> derivable_pt_lim f t l -> derivable_pt_lim g t l'.
Proof. intros E -> H eps He. destruct (H eps He) as [d Hd]. exists d. intros h. rewrite <- !E. apply Hd. Qed.

Section Path.
Variables (q : R -> vector) (v : vector) (t : R).
Hypothesis moves : forall j, derivable_pt_lim (fun t => q t j) t (v j).
Lemma angle_path k : derivable_pt_lim (fun t => Statement.angle al w (q t) k) t (rate_of v k).
Proof.
  unfold Statement.angle, rate_of. destruct (nth_error _ _) as [[j n]|]; [|apply derivable_pt_lim_const].
  apply (derivable_pt_lim_scal (fun t => q t j)). apply moves.
Qed.
Lemma atom_path a : derivable_pt_lim (fun t => atom_value al w (q t) a) t (atom_rate (q t) v a).
Proof.
  destruct a; simpl; try apply derivable_pt_lim_const.
  - apply (derivable_pt_lim_comp (fun t => Statement.angle al w (q t) angle) sin); [apply angle_path | apply derivable_pt_lim_sin].
  - apply (derivable_pt_lim_comp (fun t => Statement.angle al w (q t) angle) cos); [apply angle_path | apply derivable_pt_lim_cos].
  - apply moves.
Qed.
Lemma mono_path m : derivable_pt_lim (fun t => mono_value (q t) m) t (mono_rate (q t) v m).
Proof.
  induction m as [|a m IH]; simpl; [apply derivable_pt_lim_const|].
  apply (derivable_pt_lim_mult (fun t => atom_value al w (q t) a) (fun t => mono_value (q t) m)); [apply atom_path | apply IH].
Qed.
Lemma zpath p : derivable_pt_lim (fun t => zvalue (q t) p) t (zrate (q t) v p).
Proof.
  induction p as [|[m z] p IH]; simpl; [apply derivable_pt_lim_const|].
  apply (derivable_pt_lim_plus (fun t => mono_value (q t) m * IZR z) (fun t => zvalue (q t) p)); [|apply IH].
  eapply lim_ext; [| |apply (derivable_pt_lim_scal (fun t => mono_value (q t) m) (IZR z)), mono_path];
    [intros s; unfold mult_real_fct; ring | ring].
Qed.
Lemma qpath x : derivable_pt_lim (fun t => qvalue (q t) x) t (qrate (q t) v x).
Proof.
  unfold qvalue, qrate.
  eapply lim_ext; [| |apply (derivable_pt_lim_scal (fun t => zvalue (q t) (snd x)) (/ IZR (Zpos (fst x)))), zpath];
    [intros s; unfold mult_real_fct, Rdiv; ring | unfold Rdiv; ring].
Qed.
End Path.

Definition unit (j : coordinate) : vector := fun i => if Pos.eqb i j then 1 else 0.
Definition per_ := IZR (Zpos (per al)).
Lemma turned_by_ok j k : IZR (turned_by j k) = per_ * rate_of (unit j) k.
Proof.
  unfold turned_by, rate_of, unit, per_. destruct (nth_error _ _) as [[i n]|]; [|ring].
  destruct (Pos.eqb i j); [|ring]. field. auto.
Qed.
Lemma d_atom_ok j q a : zvalue q (d_atom j a) = per_ * atom_rate q (unit j) a.
Proof.
  destruct a as [k|k|i|i|n]; simpl; try ring.
  - assert (H := turned_by_ok j k). destruct (turned_by j k) eqn:E;
    simpl; unfold mono_value; simpl; rewrite ?H; try ring.
    assert (per_ * rate_of (unit j) k = 0) by (rewrite <- H; reflexivity).
    replace (per_ * (cos (Statement.angle al w q k) * rate_of (unit j) k)) with (cos (Statement.angle al w q k) * (per_ * rate_of (unit j) k)) by ring.
    rewrite H0. ring.
  - assert (H := turned_by_ok j k). destruct (turned_by j k) eqn:E.
    + assert (per_ * rate_of (unit j) k = 0) by (rewrite <- H; reflexivity).
      replace (per_ * (- sin (Statement.angle al w q k) * rate_of (unit j) k)) with (- sin (Statement.angle al w q k) * (per_ * rate_of (unit j) k)) by ring.
      rewrite H0. simpl. ring.
    + simpl zvalue. unfold mono_value, product_of. cbn [fold_right fst snd atom_value].
      change (Zneg p) with (- Zpos p)%Z. rewrite opp_IZR, H. ring.
    + simpl zvalue. unfold mono_value, product_of. cbn [fold_right fst snd atom_value].
      change (Zpos p) with (- Zneg p)%Z. rewrite opp_IZR, H. ring.
  - unfold unit. destruct (Pos.eqb i j); simpl; unfold mono_value, per_; simpl; ring.
Qed.
Lemma d_mono_ok j q m : zvalue q (d_mono j m) = per_ * mono_rate q (unit j) m.
Proof.
  induction m as [|a r IH]; [simpl; ring|]. cbn [d_mono mono_rate].
  assert (R : zvalue q (times_any a (d_mono j r)) = atom_value al w q a * (per_ * mono_rate q (unit j) r)).
  { rewrite <- IH. unfold times_any. destruct (d_mono j r) as [|s p]; [simpl; ring | apply value_times]. }
  assert (D := d_atom_ok j q a). destruct (d_atom j a) as [|s p].
  - transitivity (per_ * atom_rate q (unit j) a * mono_value q r + atom_value al w q a * (per_ * mono_rate q (unit j) r)); [|ring].
    rewrite <- D, R. simpl zvalue. ring.
  - rewrite value_add, value_mul, R, D. simpl zvalue. ring.
Qed.
Lemma d_zpoly_ok j q p : zvalue q (d_zpoly j p) = per_ * zrate q (unit j) p.
Proof.
  unfold d_zpoly. rewrite value_sumz. induction p as [|[m z] p IH]; simpl; [ring|].
  rewrite value_scale, d_mono_ok, IH. ring.
Qed.
Theorem d_qpoly_ok j q x : qvalue q (d_qpoly j x) = qrate q (unit j) x.
Proof.
  unfold qvalue, qrate, d_qpoly. cbn [fst snd]. rewrite d_zpoly_ok, Pos2Z.inj_mul, mult_IZR. unfold per_. field. auto.
Qed.

(* a rate is a sum over the coordinates *)
Section Within.
Variable js : list coordinate.
Hypothesis distinct : NoDup js.
Lemma sum_unit v i : In i js -> sum js (fun j => v j * unit j i) = v i.
Proof.
  unfold sum, unit. induction js as [|a l IH]; simpl; [contradiction|]. inversion distinct; subst. intros [->|H].
  - rewrite Pos.eqb_refl.
    assert (Z : forall l, ~ In i l -> fold_right (fun x r => v x * (if Pos.eqb i x then 1 else 0) + r) 0 l = 0).
    { induction l0 as [|b l0 IHl]; simpl; [reflexivity|]. intros N. destruct (Pos.eqb i b) eqn:E.
      - apply Pos.eqb_eq in E. subst. tauto.
      - rewrite IHl by tauto. ring. }
    rewrite Z by assumption. ring.
  - destruct (Pos.eqb i a) eqn:E; [apply Pos.eqb_eq in E; subst; contradiction|]. rewrite IH by assumption. ring.
Qed.
Lemma sum_ext {X} (l : list X) f g : (forall x, In x l -> f x = g x) -> sum l f = sum l g.
Proof. unfold sum. induction l as [|a l IH]; simpl; [reflexivity|]. intros H. rewrite IH, H by auto. reflexivity. Qed.
Lemma sum_scal {X} (l : list X) c f : sum l (fun x => c * f x) = c * sum l f.
Proof. unfold sum. induction l; simpl; [ring|]. rewrite IHl. ring. Qed.
Lemma sum_plus {X} (l : list X) f g : sum l (fun x => f x + g x) = sum l f + sum l g.
Proof. unfold sum. induction l; simpl; [ring|]. rewrite IHl. ring. Qed.
Lemma in_of_existsb j : existsb (Pos.eqb j) js = true -> In j js.
Proof. intros H. apply existsb_exists in H. destruct H as [x [H E]]. apply Pos.eqb_eq in E. now subst. Qed.
Lemma rate_of_sum v k : match nth_error (turning al) (pred (Pos.to_nat k)) with Some (j, _) => existsb (Pos.eqb j) js | None => true end = true ->
  rate_of v k = sum js (fun j => v j * rate_of (unit j) k).
Proof.
  unfold rate_of. destruct (nth_error _ _) as [[i n]|].
  - intros H. apply in_of_existsb in H. rewrite <- (sum_unit v i H), <- sum_scal. apply sum_ext. intros. ring.
  - intros _. rewrite (sum_ext _ _ (fun _ => 0 * 0)) by (intros; ring). rewrite sum_scal. ring.
Qed.
Lemma atom_rate_sum q v a : atom_within js a = true -> atom_rate q v a = sum js (fun j => v j * atom_rate q (unit j) a).
Proof.
  destruct a; simpl; intros H.
  - rewrite (rate_of_sum v _ H), <- sum_scal. apply sum_ext. intros. ring.
  - rewrite (rate_of_sum v _ H), <- sum_scal. apply sum_ext. intros. ring.
  - symmetry. apply sum_unit. now apply in_of_existsb.
  - rewrite (sum_ext _ _ (fun _ => 0 * 0)) by (intros; ring). rewrite sum_scal. ring.
  - rewrite (sum_ext _ _ (fun _ => 0 * 0)) by (intros; ring). rewrite sum_scal. ring.
Qed.
Lemma mono_rate_sum q v m : forallb (atom_within js) m = true -> mono_rate q v m = sum js (fun j => v j * mono_rate q (unit j) m).
Proof.
  induction m as [|a m IH]; simpl; intros H.
  - rewrite (sum_ext _ _ (fun _ => 0 * 0)) by (intros; ring). rewrite sum_scal. ring.
  - apply andb_prop in H. destruct H as [H1 H2]. rewrite (atom_rate_sum q v a H1), (IH H2), Rmult_comm, <- !sum_scal, <- sum_plus.
    apply sum_ext. intros. ring.
Qed.
Lemma zrate_sum q v p : forallb (fun t => forallb (atom_within js) (fst t)) p = true -> zrate q v p = sum js (fun j => v j * zrate q (unit j) p).
Proof.
  induction p as [|[m z] p IH]; simpl; intros H.
  - rewrite (sum_ext _ _ (fun _ => 0 * 0)) by (intros; ring). rewrite sum_scal. ring.
  - apply andb_prop in H. destruct H as [H1 H2]. rewrite (mono_rate_sum q v m H1), (IH H2), Rmult_comm, <- !sum_scal, <- sum_plus.
    apply sum_ext. intros. ring.
Qed.
Theorem qrate_sum q v x : within js x = true -> qrate q v x = sum js (fun j => v j * qvalue q (d_qpoly j x)).
Proof.
  unfold within, qrate. intros H. rewrite (zrate_sum q v _ H). unfold Rdiv. rewrite Rmult_comm, <- sum_scal.
  apply sum_ext. intros. rewrite d_qpoly_ok. unfold qrate, Rdiv. ring.
Qed.
End Within.
End Derivatives.
