(* The check of a closed chain, a computation in normal forms. *)
From Coq Require Import ZArith List Reals Bool.
From Qddot Require Import Statement Polynomials Checker ClosedStatement.
Import ListNotations.

(* ---- sums and tables ---- *)
Definition sumq {X} (l : list X) (f : X -> qpoly) : qpoly := fold_right (fun x r => addq (f x) r) zeroq l.
Definition table {X} (l : list positive) (f : positive -> X) : list (positive * X) := map (fun k => (k, f k)) l.
Definition get {X} (d : X) (k : positive) (l : list (positive * X)) : X :=
  fold_right (fun x r => if Pos.eqb k (fst x) then snd x else r) d l.
Definition nilq := norm_entry nil.
Definition in_row (l : list qpoly) (i : positive) : qpoly := at_place i l nilq.
Definition in_rows (l : list (list qpoly)) (i j : positive) : qpoly := in_row (at_place i l []) j.
Definition in_arrays (l : list (list (list qpoly))) (i j k : positive) : qpoly := in_rows (at_place i l []) j k.
Definition normal := map norm_entry.
Definition all {X} (l : list X) (f : X -> bool) : bool := forallb f l.

Section Check.
Variables (A : arm) (E : equations) (C : chain).
Let al := arm_angles A.
Let js := coordinates A.
Let us := columns C.

(* ---- conditions ---- *)
Definition frame_q (p : path) : qmat := fold_left (fun P l => qmul P (step_q l)) p (qmatrix delta_expr).
Definition add3 (f : nat -> qpoly) : qpoly := addq (f 0%nat) (addq (f 1%nat) (f 2%nat)).
Definition subq (x y : qpoly) : qpoly := addq x (scaleq (-1) y).
Definition apart (F S : qmat) (i : nat) : qpoly := subq (ent S i 3) (ent F i 3).
Definition condition_q (c : condition) : qpoly :=
  match c with
  | Held u f s => let F := frame_q f in let S := frame_q s in add3 (fun i => mulq (norm (nth i u zero)) (apart F S i))
  | Held_along k f s => let F := frame_q f in let S := frame_q s in add3 (fun i => mulq (ent F i k) (apart F S i))
  | Perpendicular i j f s => let F := frame_q f in let S := frame_q s in add3 (fun k => mulq (ent F k i) (ent S k j))
  | Distance l f s => let F := frame_q f in let S := frame_q s in
    mulq (norm (Num 1 2)) (subq (add3 (fun i => mulq (apart F S i) (apart F S i))) (norm (Mul l l)))
  | No_slip _ _ _ _ => zeroq
  end.
Definition behind (T P : qmat) (k : nat) : qpoly := add3 (fun r => mulq (ent T r k) (apart T P r)).
Definition carried_q (D : qmat) (at_ : nat -> qpoly) (i : nat) : qpoly :=
  addq (add3 (fun k => mulq (ent D i k) (at_ k))) (ent D i 3).
Definition matrix_within (T : qmat) : bool := forallb (forallb (within al js)) T.
Definition rates_agree (c : row) : bool :=
  match keeps c with
  | No_slip k wheel contact ground =>
    let W := frame_q wheel in let P := frame_q contact in let G := frame_q ground in
    let x := table [1; 2; 3]%positive (fun r => behind W P (pred (Pos.to_nat r))) in
    let y := table [1; 2; 3]%positive (fun r => behind G P (pred (Pos.to_nat r))) in
    let of l r := get zeroq (Pos.of_succ_nat r) l in
    matrix_within W && matrix_within G
    && all js (fun j => let D := d_qmat A j W in let D' := d_qmat A j G in
      eqbq (add3 (fun i => mulq (ent P i k) (subq (carried_q D (of x) i) (carried_q D' (of y) i))))
        (norm_entry (at_place j (in_A c) nil)))
  | _ => within al js (norm_entry (phi c))
    && all js (fun j => eqbq (d_qpoly al j (norm_entry (phi c))) (norm_entry (at_place j (in_A c) nil)))
  end.
Definition has_axes (c : condition) : bool :=
  match c with
  | Held_along k _ _ | No_slip k _ _ _ => Nat.ltb k 3
  | Perpendicular i j _ _ => Nat.ltb i 3 && Nat.ltb j 3
  | _ => true
  end.
Definition conditions_agree : bool := all (rows_of_A C) (fun c => has_axes (keeps c)
  && eqbq (norm_entry (phi c)) (condition_q (keeps c)) && forallb (within al js) (normal (in_A c)) && rates_agree c).

(* ---- coefficients ---- *)
(* the numerator and the denominator of a coefficient, times its share *)
Definition over := (positive * (qpoly * qpoly))%type.
Definition overs : list over := map (fun f =>
  let e := norm_entry (share f) in (name f, (mulq e (norm_entry (numerator f)), mulq e (norm_entry (denominator f))))) (coefficients C).
(* d times an entry of R or of its slopes *)
Definition single (x : qpoly) : option positive :=
  match x with (1%positive, [([Par i], 1%Z)]) => Some i | _ => None end.
Definition over_determinant (l : list over) (d x : qpoly) : qpoly :=
  match single x with
  | None => mulq d x
  | Some i => match find (fun y => Pos.eqb i (fst y)) l with
    | None => mulq d x
    | Some y => if eqbq (snd (snd y)) d then fst (snd y) else mulq d x
    end
  end.
Definition solved : bool :=
  let R := map normal (R_entries C) in let S := map (map normal) (R_slopes C) in let l := overs in
  all (rows_of_A C) (fun c => match determinant c with
    | None => true
    | Some d => let d := norm_entry d in let a := normal (in_A c) in
      let dA := table js (fun k => table js (fun i => d_qpoly al i (in_row a k))) in
      all us (fun j =>
        eqbq (sumq js (fun k => mulq (in_row a k) (over_determinant l d (in_rows R k j)))) zeroq
        && all us (fun m =>
          let b := sumq js (fun k => mulq (sumq js (fun i => mulq (get zeroq i (get [] k dA)) (in_rows R i m))) (in_rows R k j)) in
          eqbq (addq (sumq js (fun k => mulq (in_row a k) (over_determinant l d (in_arrays S k j m)))) (mulq d b)) zeroq))
    end)
  && distinct us
  && all us (fun j => all us (fun l => eqbq (in_rows R (own C j) l) (if Pos.eqb j l then oneq else zeroq)
    && all us (fun m => eqbq (in_arrays S (own C j) l m) zeroq))).

(* ---- reduced equations ---- *)
Definition reduced : bool :=
  let R := map normal (R_entries C) in let S := map (map normal) (R_slopes C) in
  let M := M_q E in let Gam := map (map normal) (Gamma_rows E) in
  let MR := map normal (reduced_M C) in let GR := map (map normal) (reduced_Gamma C) in
  let G := normal (reduced_G C) in let springs := normal (reduced_springs C) in
  let viscous := map normal (reduced_viscous C) in let dry := map normal (reduced_dry C) in
  let to_columns (x : list (positive * qpoly)) i := sumq js (fun k => mulq (in_rows R k i) (get zeroq k x)) in
  let given l := table js (fun k => norm_entry (at_place k l nil)) in
  all us (fun j => let x := table js (fun k => sumq js (fun p => mulq (lower M k p) (in_rows R p j))) in
    all us (fun i => eqbq (to_columns x i) (lower MR i j)))
  && all us (fun l =>
    let along := table js (fun k => table js (fun p =>
      sumq js (fun s => mulq (in_arrays Gam k (Pos.max p s) (Pos.min p s)) (in_rows R s l)))) in
    all us (fun j =>
      let x := table js (fun k => addq (sumq js (fun p => mulq (get zeroq p (get [] k along)) (in_rows R p j)))
        (sumq js (fun p => mulq (lower M k p) (in_arrays S p j l)))) in
      all us (fun i => eqbq (to_columns x i) (in_arrays GR i j l))))
  && (let g := given (G_entries E) in let s := given (spring_entries E) in
      let v := given (viscous_entries E) in let d := given (dry_entries E) in
      all us (fun i => eqbq (to_columns g i) (in_row G i) && eqbq (to_columns s i) (in_row springs i)
        && all us (fun j => eqbq (sumq js (fun k => mulq (mulq (in_rows R k i) (get zeroq k v)) (in_rows R k j))) (in_rows viscous i j))
        && all js (fun k => eqbq (mulq (in_rows R k i) (get zeroq k d)) (in_rows dry i k)))).
Definition check_chain : bool := conditions_agree && solved && reduced.
End Check.
