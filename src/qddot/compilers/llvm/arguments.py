"""What a caller may give the entry, in LLVM's assembly: NumPy's arrays, for a state of the other type too; numbers.

Arrays of the kernel's own type are taken where they lie: `rows_of` says how many rows they have, 0 for one state, −1
for what is not taken. The others are copied. The layout is that of NumPy's arrays; `entry.table` looks whether it
holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from qddot.compilers.llvm.registers import WIDTHS

# of the table of addresses
OBJECTS = ("ndarray", "float64", "float32", "pyfloat", "pyint", "scalar", "none")
FUNCTIONS = ("new_ref", "new_array", "save", "restore", "new_tuple", "set_item", "as_integer", "as_double")

# header, type, data, dimensions, their sizes, strides, base, dtype, flags
PYARRAY = "%array = type { i64, ptr, ptr, i32, ptr, ptr, ptr, ptr, i32 }"
# the type of an array's numbers, whether they are aligned, and how many dimensions it has
ARRAY_FACTS = """
  %kind.at = getelementptr %array, ptr %a, i32 0, i32 7
  %kind = load ptr, ptr %kind.at
  %flags.at = getelementptr %array, ptr %a, i32 0, i32 8
  %flags = load i32, ptr %flags.at
  %aligned = and i32 %flags, 256
  %is_aligned = icmp ne i32 %aligned, 0
  %nd.at = getelementptr %array, ptr %a, i32 0, i32 3
  %nd = load i32, ptr %nd.at
"""
ROWS_OF = """
; rows of an aligned array of shape (rows, *shape), 0 for one of this shape itself, −1 for any other
define internal i64 @rows_of(ptr %a, ptr %ndarray, ptr %dtype, i64 %rank, ptr %shape) alwaysinline {{
  %type.at = getelementptr %array, ptr %a, i32 0, i32 1
  %type = load ptr, ptr %type.at
  %is_array = icmp eq ptr %type, %ndarray
  br i1 %is_array, label %array, label %other
array:
  {array_facts}
  %is_ours = icmp eq ptr %kind, %dtype
  %dimensions = zext i32 %nd to i64
  %lead = sub i64 %dimensions, %rank
  %is_one_or_batch = icmp ult i64 %lead, 2
  %sizes.at = getelementptr %array, ptr %a, i32 0, i32 4
  %sizes = load ptr, ptr %sizes.at
  %strides.at = getelementptr %array, ptr %a, i32 0, i32 5
  %strides = load ptr, ptr %strides.at
  %usable = and i1 %is_ours, %is_aligned
  %fits = and i1 %usable, %is_one_or_batch
  br i1 %fits, label %next, label %other
next:
  %left = phi i64 [ %rank, %array ], [ %axis, %check ]
  %packed = phi i64 [ {width}, %array ], [ %wider, %check ]
  %all = icmp eq i64 %left, 0
  br i1 %all, label %done, label %check
check:
  %axis = sub i64 %left, 1
  %place = add i64 %lead, %axis
  %size.at = getelementptr i64, ptr %sizes, i64 %place
  %size = load i64, ptr %size.at
  %stride.at = getelementptr i64, ptr %strides, i64 %place
  %stride = load i64, ptr %stride.at
  %wanted.at = getelementptr i64, ptr %shape, i64 %axis
  %wanted = load i64, ptr %wanted.at
  %is_sized = icmp eq i64 %size, %wanted
  %is_packed = icmp eq i64 %stride, %packed
  %right = and i1 %is_sized, %is_packed
  %wider = mul i64 %packed, %size
  br i1 %right, label %next, label %other
done:
  %is_one = icmp eq i64 %lead, 0
  br i1 %is_one, label %one, label %batch
one:
  ret i64 0
batch:
  %rows = load i64, ptr %sizes
  %none = icmp eq i64 %rows, 0
  %found = select i1 %none, i64 -1, i64 %rows
  ret i64 %found
other:
  ret i64 -1
}}
; where an array's numbers are, and the bytes from row to row
define internal {{ ptr, i64 }} @placed(ptr %a, i64 %rows) alwaysinline {{
  %data.at = getelementptr %array, ptr %a, i32 0, i32 2
  %data = load ptr, ptr %data.at
  %is_one = icmp eq i64 %rows, 0
  br i1 %is_one, label %done, label %batch
batch:
  %strides.at = getelementptr %array, ptr %a, i32 0, i32 5
  %strides = load ptr, ptr %strides.at
  %stride = load i64, ptr %strides
  br label %done
done:
  %step = phi i64 [ 0, %0 ], [ %stride, %batch ]
  %begun = insertvalue {{ ptr, i64 }} poison, ptr %data, 0
  %both = insertvalue {{ ptr, i64 }} %begun, i64 %step, 1
  ret {{ ptr, i64 }} %both
}}"""
AGREES = """
; whether an argument has as many rows as those before, 0 being any number of them
define internal i1 @agrees(i64 %rows, i64 %before) alwaysinline {{
  %known = icmp ne i64 %rows, -1
  %one = icmp eq i64 %rows, 0
  %first = icmp eq i64 %before, 0
  %same = icmp eq i64 %rows, %before
  %either = or i1 %one, %first
  %any = or i1 %either, %same
  %agreed = and i1 %known, %any
  ret i1 %agreed
}}"""
NUMBER = """
; copies a float or an integer; whether the object is one
define internal i1 @number(ptr %a, ptr %table, ptr %to) noinline {{
  {objects}
  %type.at = getelementptr %array, ptr %a, i32 0, i32 1
  %type = load ptr, ptr %type.at
  %is_pyfloat = icmp eq ptr %type, %pyfloat
  %is_numpys = icmp eq ptr %type, %scalar
  %is_float = or i1 %is_pyfloat, %is_numpys
  br i1 %is_float, label %float, label %other
float:
  %value = call double %as_double(ptr %a)
  %x = {narrow} double %value to {element}
  store {element} %x, ptr %to
  ret i1 true
other:
  %is_int = icmp eq ptr %type, %pyint
  br i1 %is_int, label %int, label %neither
int:
  %overflow = alloca i32
  %whole = call i64 %as_integer(ptr %a, ptr %overflow)
  %over = load i32, ptr %overflow
  %fits = icmp eq i32 %over, 0
  %y = sitofp i64 %whole to {element}
  store {element} %y, ptr %to
  ret i1 %fits
neither:
  ret i1 false
}}"""
COPIED = """
; copies a state from an array of the other type; whether the object is one
define internal i1 @copied(ptr %a, ptr %table, i64 %wanted, ptr %to) noinline {{
  {objects}
  %type.at = getelementptr %array, ptr %a, i32 0, i32 1
  %type = load ptr, ptr %type.at
  %is_array = icmp eq ptr %type, %ndarray
  br i1 %is_array, label %array, label %other
array:
  {array_facts}
  %is_convertible = icmp eq ptr %kind, {other_type}
  %is_state = icmp eq i32 %nd, 1
  %usable = and i1 %is_convertible, %is_aligned
  %fits = and i1 %usable, %is_state
  br i1 %fits, label %state, label %other
state:
  %sizes.at = getelementptr %array, ptr %a, i32 0, i32 4
  %sizes = load ptr, ptr %sizes.at
  %size = load i64, ptr %sizes
  %strides.at = getelementptr %array, ptr %a, i32 0, i32 5
  %strides = load ptr, ptr %strides.at
  %stride = load i64, ptr %strides
  %data.at = getelementptr %array, ptr %a, i32 0, i32 2
  %data = load ptr, ptr %data.at
  %is_whole = icmp eq i64 %size, %wanted
  br i1 %is_whole, label %convert, label %other
convert:
  %j = phi i64 [ 0, %state ], [ %j.next, %convert ]
  %off = mul i64 %j, %stride
  %x.at = getelementptr i8, ptr %data, i64 %off
  %x = load {other}, ptr %x.at
  %y = {converted} {other} %x to {element}
  %to.j = getelementptr {element}, ptr %to, i64 %j
  store {element} %y, ptr %to.j
  %j.next = add i64 %j, 1
  %j.more = icmp ult i64 %j.next, %wanted
  br i1 %j.more, label %convert, label %done
done:
  ret i1 true
other:
  ret i1 false
}}"""
SINGLE = """
; one number: rows of an array of them; 0 for one that is copied, and for an array without axes
define internal i64 @single(ptr %a, ptr %table, ptr %to, ptr %data.to, ptr %step.to) noinline {{
  {objects}
  %rows = call i64 @rows_of(ptr %a, ptr %ndarray, ptr {own_type}, i64 0, ptr null)
  %is_array = icmp ne i64 %rows, -1
  br i1 %is_array, label %array, label %other
array:
  %place = call {{ ptr, i64 }} @placed(ptr %a, i64 %rows)
  %data = extractvalue {{ ptr, i64 }} %place, 0
  %step = extractvalue {{ ptr, i64 }} %place, 1
  store ptr %data, ptr %data.to
  store i64 %step, ptr %step.to
  ret i64 %rows
other:
  %is_number = call i1 @number(ptr %a, ptr %table, ptr %to)
  store ptr %to, ptr %data.to
  store i64 0, ptr %step.to
  %found = select i1 %is_number, i64 0, i64 -1
  ret i64 %found
}}"""
CLEAR = """
; whether an array of rows of a size in bytes may be written, and keeps clear of so many others
define internal i1 @clear(
  ptr %w, ptr %data, i64 %step, i64 %size, ptr %others, ptr %steps, ptr %sizes, i64 %count, i64 %past
) alwaysinline {{
entry:
  %flags.at = getelementptr %array, ptr %w, i32 0, i32 8
  %flags = load i32, ptr %flags.at
  %writeable = and i32 %flags, 1024
  %may = icmp ne i32 %writeable, 0
  %reach = call {{ i64, i64 }} @reach(ptr %data, i64 %step, i64 %size, i64 %past)
  %low = extractvalue {{ i64, i64 }} %reach, 0
  %high = extractvalue {{ i64, i64 }} %reach, 1
  br i1 %may, label %next, label %met
next:
  %k = phi i64 [ 0, %entry ], [ %following, %apart ]
  %some = icmp ult i64 %k, %count
  br i1 %some, label %look, label %none
look:
  %other.at = getelementptr ptr, ptr %others, i64 %k
  %other = load ptr, ptr %other.at
  %other.step.at = getelementptr i64, ptr %steps, i64 %k
  %other.step = load i64, ptr %other.step.at
  %other.size.at = getelementptr i64, ptr %sizes, i64 %k
  %other.size = load i64, ptr %other.size.at
  %other.reach = call {{ i64, i64 }} @reach(ptr %other, i64 %other.step, i64 %other.size, i64 %past)
  %other.low = extractvalue {{ i64, i64 }} %other.reach, 0
  %other.high = extractvalue {{ i64, i64 }} %other.reach, 1
  %below = icmp sle i64 %high, %other.low
  %above = icmp sle i64 %other.high, %low
  %is_apart = or i1 %below, %above
  br i1 %is_apart, label %apart, label %met
apart:
  %following = add i64 %k, 1
  br label %next
none:
  ret i1 true
met:
  ret i1 false
}}
; the addresses from the first byte to past the last
define internal {{ i64, i64 }} @reach(ptr %first, i64 %step, i64 %size, i64 %past) alwaysinline {{
  %data = ptrtoint ptr %first to i64
  %span = mul i64 %past, %step
  %last = add i64 %data, %span
  %low = call i64 @llvm.smin.i64(i64 %data, i64 %last)
  %top = call i64 @llvm.smax.i64(i64 %data, i64 %last)
  %high = add i64 %top, %size
  %begun = insertvalue {{ i64, i64 }} poison, i64 %low, 0
  %both = insertvalue {{ i64, i64 }} %begun, i64 %high, 1
  ret {{ i64, i64 }} %both
}}"""


def types(element: str) -> tuple[str, str]:
    """Returns the names of the types of arrays that are taken as they are, and of those that are converted."""
    return ("%float64", "%float32") if element == "double" else ("%float32", "%float64")


def looked_up() -> Iterator[str]:
    """Yields the addresses that %table has."""
    for k, name in enumerate((*OBJECTS, *FUNCTIONS)):
        yield f"  %{name}.at = getelementptr ptr, ptr %table, i64 {k}"
        yield f"  %{name} = load ptr, ptr %{name}.at"


def declarations(element: str) -> Iterator[str]:
    """Yields the layouts and the functions over them, for arrays of doubles or floats."""
    own, other = types(element)
    facts = {
        "element": element,
        "width": WIDTHS[element],
        "narrow": "fptrunc" if element == "float" else "bitcast",
        "other": "double" if element == "float" else "float",
        "converted": "fptrunc" if element == "float" else "fpext",
        "own_type": own,
        "other_type": other,
        "objects": "\n".join(looked_up()).strip(),
        "array_facts": ARRAY_FACTS.strip(),
    }
    yield PYARRAY
    yield from (text.format(**facts) for text in (ROWS_OF, AGREES, NUMBER, COPIED, SINGLE, CLEAR))
