(* What is proved about a closed chain. Whoever believes Statement.v, this file and the chain's data needs no other file.

   A closed chain is an arm with conditions: loops hold frames of its links to each other, and wheels do not slip.
   [correct_chain] says: each printed phi is the condition's value, and each printed row of A gives the condition's rate
   along every twice differentiable motion. At any time at which the coefficients in R have their printed definitions:
   - A R = 0, so that the forces A^t lambda of the conditions do no work in motions R u.
   If, moreover, the independent rates u determine the others there, every motion that keeps the conditions has
   - the rates R u and the accelerations R u' + R' u,
   - R^t tau equal to the left side of the printed equations, for all torques tau and forces A^t lambda with which
     Lagrange's equations of the arm hold, and
   - the rate of the energy equal to the power of R^t tau without friction. *)
From Coq Require Import ZArith List Reals.
From Qddot Require Import Statement.
Import ListNotations.
Open Scope R_scope.

(* A frame is the last link of a path, which begins behind the link that carries all frames of a loop, or at the base. *)
Definition path := list link.
Inductive condition :=
  | Held (direction : list expr) (first second : path) (* the second origin lies at the first one's height along it *)
  | Held_along (axis : nat) (first second : path) (* the same, along an axis of the first frame *)
  | Perpendicular (i j : nat) (first second : path) (* axis i of the first frame is perpendicular to j of the second *)
  | Distance (length : expr) (first second : path) (* of the origins *)
  | No_slip (axis : nat) (wheel contact ground : path). (* of the wheel on the ground, along an axis of the contact *)

(* A row has a condition, its printed phi (nil for wheels), its printed row of A, and the determinant over which the
   coefficients in it are written out, if they are; otherwise they are defined by this row of A R = 0. *)
Record row := { keeps : condition; phi : entry; in_A : list entry; determinant : option entry }.
(* Parameter [name] stands for the quotient; times [share], its denominator is the determinant of its rows. *)
Record coefficient := { name : positive; numerator : entry; denominator : entry; share : entry }.
Record chain := {
  rows_of_A : list row;
  columns : list positive; (* 1 to the number of independent rates *)
  independent : list coordinate;
  coefficients : list coefficient;
  R_entries : list (list entry);
  R_slopes : list (list (list entry)); (* of R_kj along the motion in which u_l = 1 is alone, by k, j and l *)
  reduced_M : list (list entry); (* for j <= i *)
  reduced_Gamma : list (list (list entry));
  reduced_G : list entry;
  reduced_springs : list entry;
  reduced_viscous : list (list entry); (* factors of u *)
  reduced_dry : list (list entry) (* factors of the signs of all rates *)
}.

Section Conditions.
Variables (A : arm) (w : constants).
Notation "[[ x ]] q" := (value (arm_angles A) w q x) (at level 9, q at level 9).
Definition frame (p : path) (q : vector) : matrix := fold_left (fun P l => product P (step A w l q)) p delta.
Definition sum3 (f : nat -> R) : R := f 0%nat + f 1%nat + f 2%nat.
Definition condition_value (c : condition) (q : vector) : R :=
  match c with
  | Held u f s => sum3 (fun i => [[nth i u zero]] q * (frame s q i 3%nat - frame f q i 3%nat))
  | Held_along k f s => sum3 (fun i => frame f q i k * (frame s q i 3%nat - frame f q i 3%nat))
  | Perpendicular i j f s => sum3 (fun k => frame f q k i * frame s q k j)
  | Distance l f s => / 2 * (sum3 (fun i => (frame s q i 3%nat - frame f q i 3%nat) * (frame s q i 3%nat - frame f q i 3%nat))
      - [[l]] q * [[l]] q)
  | No_slip _ _ _ _ => 0
  end.
(* The velocity of the point of a moving frame T, with rates D, that is now at the origin of the frame P. *)
Definition carried (D T P : matrix) (i : nat) : R :=
  sum3 (fun k => D i k * sum3 (fun r => T r k * (P r 3%nat - T r 3%nat))) + D i 3%nat.
Definition rates_of (p : path) (q : R -> vector) (t : R) (D : matrix) : Prop :=
  forall i j, (i < 4)%nat -> (j < 4)%nat -> derivable_pt_lim (fun t => frame p (q t) i j) t (D i j).
Definition condition_rate (c : condition) (q : R -> vector) (t rate : R) : Prop :=
  match c with
  | No_slip k wheel contact ground => exists D D', rates_of wheel q t D /\ rates_of ground q t D'
    /\ let P := frame contact (q t) in
       rate = sum3 (fun i => P i k * (carried D (frame wheel (q t)) P i - carried D' (frame ground (q t)) P i))
  | _ => derivable_pt_lim (fun t => condition_value c (q t)) t rate
  end.
End Conditions.

Section Chain.
Variables (A : arm) (C : chain) (w : constants) (q : vector).
Definition printed_in (l : list entry) (i : positive) : R := printed A w q (at_place i l nil).
Definition A_entry (c : row) (k : coordinate) : R := printed_in (in_A c) k.
Definition R_entry (k : coordinate) (j : positive) : R := printed_in (at_place k (R_entries C) []) j.
Definition R_slope (k : coordinate) (j l : positive) : R := printed_in (at_place j (at_place k (R_slopes C) []) []) l.
(* the terms of the rate of A R that have no slopes of R *)
Definition is_slope (c : row) (k i : coordinate) (d : R) : Prop :=
  derivable_pt_lim (fun x => printed A w (put i x q) (at_place k (in_A c) nil)) (q i) d.

(* Parameters have the values that the coefficients' definitions give them. *)
Definition defined : Prop :=
  (forall f, In f (coefficients C) -> printed A w q (denominator f) <> 0
    /\ parameter w (name f) = printed A w q (numerator f) / printed A w q (denominator f))
  /\ forall c, In c (rows_of_A C) -> match determinant c with
    | Some d => printed A w q d <> 0
    | None => forall j l, In j (columns C) -> In l (columns C) ->
      sum (coordinates A) (fun k => A_entry c k * R_entry k j) = 0
      /\ forall dA, (forall k i, In k (coordinates A) -> In i (coordinates A) -> is_slope c k i (dA k i)) ->
        sum (coordinates A) (fun k => A_entry c k * R_slope k j l)
        + sum (coordinates A) (fun k => sum (coordinates A) (fun i => dA k i * R_entry i l) * R_entry k j) = 0
    end.
Definition own (j : positive) : coordinate := at_place j (independent C) 1%positive.
(* Rates that keep the conditions are zero if the independent ones are. *)
Definition determined : Prop := forall x : vector, (forall j, In j (columns C) -> x (own j) = 0) ->
  (forall c, In c (rows_of_A C) -> sum (coordinates A) (fun k => A_entry c k * x k) = 0) ->
  forall k, In k (coordinates A) -> x k = 0.
Definition chain_M (i j : positive) : R := printed_in (at_place (Pos.max i j) (reduced_M C) []) (Pos.min i j).
Definition chain_Gamma (i j l : positive) : R := printed_in (at_place j (at_place i (reduced_Gamma C) []) []) l.
Definition chain_tau (v u u' : vector) (i : positive) : R :=
  sum (columns C) (fun j => chain_M i j * u' j)
  + sum (columns C) (fun j => sum (columns C) (fun l => chain_Gamma i j l * u l) * u j)
  + printed_in (reduced_G C) i + printed_in (reduced_springs C) i
  + sum (columns C) (fun j => printed_in (at_place i (reduced_viscous C) []) j * u j)
  + sum (coordinates A) (fun k => printed_in (at_place i (reduced_dry C) []) k * sign (v k)).
End Chain.

Definition correct_chain (A : arm) (C : chain) : Prop := forall w : constants,
  (forall c q, In c (rows_of_A C) -> printed A w q (phi c) = condition_value A w (keeps c) q) /\
  forall q v a : R -> vector,
  (forall t j, derivable_pt_lim (fun t => q t j) t (v t j)) ->
  (forall t j, derivable_pt_lim (fun t => v t j) t (a t j)) ->
  let rate c t := sum (coordinates A) (fun k => A_entry A w (q t) c k * v t k) in
  (forall c t, In c (rows_of_A C) -> condition_rate A w (keeps c) q t (rate c t)) /\
  forall t, defined A C w (q t) ->
  (forall c j, In c (rows_of_A C) -> In j (columns C) ->
    sum (coordinates A) (fun k => A_entry A w (q t) c k * R_entry A C w (q t) k j) = 0) /\
  ((forall c t, In c (rows_of_A C) -> rate c t = 0) -> determined A C w (q t) ->
    let u j := v t (own C j) in
    let u' j := a t (own C j) in
    (forall k, In k (coordinates A) -> v t k = sum (columns C) (fun j => R_entry A C w (q t) k j * u j)) /\
    (forall k, In k (coordinates A) -> a t k = sum (columns C) (fun j => R_entry A C w (q t) k j * u' j)
      + sum (columns C) (fun j => sum (columns C) (fun l => R_slope A C w (q t) k j l * u l) * u j)) /\
    forall K, (forall q v, kinetic_energy A w q v (K q v)) ->
    derivable_pt_lim (fun t => K (q t) (v t) + potential_energy A w (q t)) t
      (sum (columns C) (fun i => chain_tau A C w (q t) (v t) u u' i * u i)
      - sum (coordinates A) (fun k => friction A w (q t) (v t) k * v t k)) /\
    forall (tau : vector) (lambda : row -> R),
    (forall k, In k (coordinates A) -> lagrange (fun q v => K q v - potential_energy A w q) q v k t
      (tau k + sum (rows_of_A C) (fun c => A_entry A w (q t) c k * lambda c) - friction A w (q t) (v t) k)) ->
    forall i, In i (columns C) ->
      sum (coordinates A) (fun k => R_entry A C w (q t) k i * tau k) = chain_tau A C w (q t) (v t) u u' i).
