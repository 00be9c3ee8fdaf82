(* What is proved about an arm. Whoever believes the definitions of this file and the arm's data needs no other file.

   An arm is data: a tree of links, each with the transform from its parent's frame and its inertia.
   Kinetic energy is 1/2 sum tr(T' J T'^t), where T' is the rate of the link's pose T and J its pseudo-inertia.
   [correct arm equations] says: along every twice differentiable motion, Lagrange's equations of the arm are the
   printed equations M a + Gamma v v + G + springs + friction. *)
From Coq Require Import ZArith List Reals.
Import ListNotations.
Open Scope R_scope.

(* Numbers: a description's expressions, and the terms of printed entries, in the same atoms. *)

Definition coordinate := positive.
Definition vector := coordinate -> R.
Inductive atom := Sin (angle : positive) | Cos (angle : positive) | Coord (j : positive) | Par (i : positive) | Root (n : positive).
Inductive expr := Num (z : Z) (d : positive) | Atom (a : atom) | Add (x y : expr) | Mul (x y : expr).
Declare Scope expr_scope.
Delimit Scope expr_scope with expr.
Bind Scope expr_scope with expr.
Infix "+" := Add : expr_scope.
Infix "*" := Mul : expr_scope.
Inductive terms := Empty | T (factor : Z * list atom) (atoms : list atom) (others : terms).
Inductive entry := Over (denominator : positive) (sum : terms).

(* Angle k is n/per times a coordinate if the k-th pair of [turning] is (coordinate, n), else it is constant. *)
Record angles := { turning : list (coordinate * Z); per : positive }.
(* The theorem holds for all values of parameters and of constant angles. *)
Record constants := { parameter : positive -> R; constant_angle : positive -> R }.

Definition sum {X} (l : list X) (f : X -> R) : R := fold_right (fun x r => f x + r) 0 l.
Definition at_place {X} (i : positive) (l : list X) (d : X) : X := nth (pred (Pos.to_nat i)) l d.

Section Values.
Variables (al : angles) (w : constants) (q : vector).
Definition angle (k : positive) : R :=
  match nth_error (turning al) (pred (Pos.to_nat k)) with
  | Some (j, n) => IZR n / IZR (Zpos (per al)) * q j
  | None => constant_angle w k
  end.
Definition atom_value (a : atom) : R :=
  match a with
  | Sin k => sin (angle k) | Cos k => cos (angle k) | Coord j => q j | Par i => parameter w i
  | Root n => sqrt (IZR (Zpos n))
  end.
Fixpoint value (x : expr) : R :=
  match x with
  | Num z d => IZR z / IZR (Zpos d) | Atom a => atom_value a
  | Add x y => value x + value y | Mul x y => value x * value y
  end.
Definition product_of (l : list atom) : R := fold_right (fun a r => atom_value a * r) 1 l.
Fixpoint terms_value (x : terms) : R :=
  match x with Empty => 0 | T (z, p) t x => IZR z * product_of p * product_of t + terms_value x end.
Definition entry_value (x : entry) : R := match x with Over d x => terms_value x / IZR (Zpos d) end.
End Values.

(* Matrices of four rows and columns. *)

Definition matrix := nat -> nat -> R.
Definition sum4 (f : nat -> R) : R := f 0%nat + f 1%nat + f 2%nat + f 3%nat.
Definition product (A B : matrix) : matrix := fun i j => sum4 (fun k => A i k * B k j).
Definition delta (i j : nat) : R := if Nat.eqb i j then 1 else 0.

(* An arm. *)

Definition rows := list (list expr). (* three rows of four: rotation and translation *)
Inductive motion :=
  | Still
  | Turn (axis : list expr) (k : positive) (n : nat) (* about a unit axis, by n times angle k *)
  | Slide (axis : list expr) (by_ : expr).
Inductive inertia :=
  | About_com (mass : expr) (com : list expr) (tensor : list expr) (* xx, xy, xz, yy, yz, zz *)
  | About_origin (mass : expr) (moment : list expr) (tensor : list expr). (* moment = mass times com *)
Record link := { placement : rows; moves : motion; offset : rows; body : inertia }.
Inductive tree := Nothing | Link (l : link) (carried : tree) (beside : tree). (* [beside] has the same parent *)
Record joint := { armature : expr; stiffness : expr; rest : expr; viscous : expr; dry : expr }.
Record arm := { coordinates : list coordinate; arm_angles : angles; gravity : list expr; links : tree; joints : list joint }.

Section Arm.
Variables (A : arm) (w : constants).
Notation "[[ x ]] q" := (value (arm_angles A) w q x) (at level 9, q at level 9).
Definition zero := Num 0 1.
Definition no_joint := {| armature := zero; stiffness := zero; rest := zero; viscous := zero; dry := zero |}.

Definition pose (m : rows) (q : vector) : matrix := fun i j =>
  match i with 3%nat => delta 3 j | _ => [[nth j (nth i m []) zero]] q end.
Definition cross (u : nat -> R) (i j : nat) : R :=
  match (i, j) with
  | (0, 1)%nat => - u 2%nat | (0, 2)%nat => u 1%nat | (1, 0)%nat => u 2%nat
  | (1, 2)%nat => - u 0%nat | (2, 0)%nat => - u 1%nat | (2, 1)%nat => u 0%nat
  | _ => 0
  end.
Definition motion_pose (m : motion) (q : vector) : matrix := fun i j =>
  match m with
  | Still => delta i j
  | Turn axis k n =>
    let u i := [[nth i axis zero]] q in
    let phi := INR n * angle (arm_angles A) w q k in
    match (i, j) with
    | (3, _)%nat | (_, 3)%nat => delta i j
    | _ => cos phi * delta i j + sin phi * cross u i j + (1 - cos phi) * (u i * u j)
    end
  | Slide axis x =>
    match (i, j) with
    | (3, _)%nat => delta i j
    | (_, 3)%nat => [[nth i axis zero]] q * [[x]] q
    | _ => delta i j
    end
  end.
Definition step (l : link) (q : vector) : matrix :=
  product (product (pose (placement l) q) (motion_pose (moves l) q)) (pose (offset l) q).

(* J: second moments, first moments m c and the mass m; a tensor I has the second moments tr(I)/2 - I. *)
Definition tensor_entry (t : list expr) (q : vector) (i j : nat) : R :=
  [[nth (match (i, j) with
    | (0, 0) => 0 | (0, 1) | (1, 0) => 1 | (0, 2) | (2, 0) => 2 | (1, 1) => 3 | (1, 2) | (2, 1) => 4 | _ => 5
    end)%nat t zero]] q.
Definition second_moment (t : list expr) (q : vector) (i j : nat) : R :=
  let I := tensor_entry t q in (I 0%nat 0%nat + I 1%nat 1%nat + I 2%nat 2%nat) / 2 * delta i j - I i j.
Definition pseudo_inertia (b : inertia) (q : vector) : matrix := fun i j =>
  match b with
  | About_com m c t =>
    let c i := match i with 3%nat => 1 | _ => [[nth i c zero]] q end in
    match (i, j) with (3, _)%nat | (_, 3)%nat => 0 | _ => second_moment t q i j end + [[m]] q * (c i * c j)
  | About_origin m h t =>
    match (i, j) with
    | (3, 3)%nat => [[m]] q | (3, i)%nat | (i, 3)%nat => [[nth i h zero]] q | _ => second_moment t q i j
    end
  end.

(* Kinetic energy k of links whose parent has the pose P, at q with rates v: q moves to q + x v. *)
Definition is_rate (f : vector -> R) (q v : vector) (d : R) : Prop :=
  derivable_pt_lim (fun x => f (fun j => q j + x * v j)) 0 d.
Definition trace (D J : matrix) : R := sum4 (fun i => sum4 (fun k => sum4 (fun l => D i k * J k l * D i l))).
Fixpoint kinetic (P : vector -> matrix) (t : tree) (q v : vector) (k : R) : Prop :=
  match t with
  | Nothing => k = 0
  | Link l carried beside =>
    let Pl q := product (P q) (step l q) in
    exists D k1 k2, (forall i j, (i < 4)%nat -> (j < 4)%nat -> is_rate (fun q => Pl q i j) q v (D i j))
    /\ kinetic Pl carried q v k1 /\ kinetic P beside q v k2
    /\ k = / 2 * trace D (pseudo_inertia (body l) q) + k1 + k2
  end.
Fixpoint potential (P : vector -> matrix) (t : tree) (q : vector) : R :=
  match t with
  | Nothing => 0
  | Link l carried beside =>
    let Pl q := product (P q) (step l q) in
    sum [0; 1; 2]%nat (fun i => - [[nth i (gravity A) zero]] q * product (Pl q) (pseudo_inertia (body l) q) i 3%nat)
    + potential Pl carried q + potential P beside q
  end.

(* With the armature of the joints, and with their springs. *)
Definition joint_of (j : coordinate) : joint := at_place j (joints A) no_joint.
Definition kinetic_energy (q v : vector) (k : R) : Prop := exists k0, kinetic (fun _ => delta) (links A) q v k0
  /\ k = k0 + sum (coordinates A) (fun j => / 2 * [[armature (joint_of j)]] q * (v j * v j)).
Definition potential_energy (q : vector) : R := potential (fun _ => delta) (links A) q
  + sum (coordinates A) (fun j =>
      / 2 * [[stiffness (joint_of j)]] q * ((q j - [[rest (joint_of j)]] q) * (q j - [[rest (joint_of j)]] q))).
Definition sign (x : R) : R := if Rlt_dec 0 x then 1 else if Rlt_dec x 0 then -1 else 0.
Definition friction (q v : vector) (i : coordinate) : R :=
  [[viscous (joint_of i)]] q * v i + [[dry (joint_of i)]] q * sign (v i).
End Arm.

(* Lagrange's equation: d/dt (dL/dv_i) - dL/dq_i = force, for L = K - P. *)
Definition put (i : coordinate) (x : R) (q : vector) : vector := fun j => if Pos.eqb i j then x else q j.
Definition lagrange (L : vector -> vector -> R) (q v : R -> vector) (i : coordinate) (t : R) (force : R) : Prop :=
  exists momentum rate slope,
  (forall t, derivable_pt_lim (fun x => L (q t) (put i x (v t))) (v t i) (momentum t))
  /\ derivable_pt_lim momentum t rate
  /\ derivable_pt_lim (fun x => L (put i x (q t)) (v t)) (q t i) slope
  /\ force = rate - slope.

(* The printed equations: M for j <= i, Gamma for k <= j, which are symmetric in these indices. *)
Record equations := {
  M_rows : list (list entry);
  Gamma_rows : list (list (list entry));
  G_entries : list entry;
  spring_entries : list entry;
  viscous_entries : list entry; (* factors of v *)
  dry_entries : list entry (* factors of sign v *)
}.
Section Printed.
Variables (A : arm) (E : equations) (w : constants) (q : vector).
Definition nil := Over 1 Empty.
Definition printed (x : entry) : R := entry_value (arm_angles A) w q x.
Definition M (i j : coordinate) : R := printed (at_place (Pos.min i j) (at_place (Pos.max i j) (M_rows E) []) nil).
Definition Gamma (i j k : coordinate) : R :=
  printed (at_place (Pos.min j k) (at_place (Pos.max j k) (at_place i (Gamma_rows E) []) []) nil).
Definition G (i : coordinate) : R := printed (at_place i (G_entries E) nil).
Definition springs (i : coordinate) : R := printed (at_place i (spring_entries E) nil).
Definition C (v : vector) (i j : coordinate) : R := sum (coordinates A) (fun k => Gamma i j k * v k).
Definition conservative (v a : vector) (i : coordinate) : R :=
  sum (coordinates A) (fun j => M i j * a j) + sum (coordinates A) (fun j => C v i j * v j) + G i + springs i.
Definition tau (v a : vector) (i : coordinate) : R := conservative v a i
  + printed (at_place i (viscous_entries E) nil) * v i + printed (at_place i (dry_entries E) nil) * sign (v i).
End Printed.

Definition correct (A : arm) (E : equations) : Prop := forall w : constants,
  (exists K, forall q v, kinetic_energy A w q v (K q v)) /\
  forall K, (forall q v, kinetic_energy A w q v (K q v)) ->
  forall q v a : R -> vector,
  (forall t j, derivable_pt_lim (fun t => q t j) t (v t j)) ->
  (forall t j, derivable_pt_lim (fun t => v t j) t (a t j)) ->
  forall t,
  (forall i, In i (coordinates A) ->
    lagrange (fun q v => K q v - potential_energy A w q) q v i t
      (tau A E w (q t) (v t) (a t) i - friction A w (q t) (v t) i))
  /\ (forall i j, M A E w (q t) i j = M A E w (q t) j i)
  /\ (forall i j, In i (coordinates A) -> In j (coordinates A) -> exists rate,
      derivable_pt_lim (fun t => M A E w (q t) i j) t rate
      /\ rate - 2 * C A E w (q t) (v t) i j = - (rate - 2 * C A E w (q t) (v t) j i))
  /\ derivable_pt_lim (fun t => K (q t) (v t) + potential_energy A w (q t)) t
      (sum (coordinates A) (fun i => (tau A E w (q t) (v t) (a t) i - friction A w (q t) (v t) i) * v t i)).
