"""The layout of a state or a view: one NumPy record, declared as a class so that the type checker knows its fields."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar, get_type_hints

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.numpy_support import as_dtype

from sarai.core.kernels.compile import COMPILED, Cell

INTEGERS = {"i1": 1, "i2": 2, "i4": 4, "i8": 8}  # NumPy's codes of signed integers, and their bytes
I1 = Annotated[int, "i1"]
I2 = Annotated[int, "i2"]
I4 = Annotated[int, "i4"]
I8 = Annotated[int, "i8"]
T = TypeVar("T")
TAKEN = frozenset(dir(np.ndarray)) | frozenset(dir(np.record))


class StandardRecord:
    """The fields of every state and view."""

    players: I1
    rules_version: I1
    actor: I1  # a seat, CHANCE or OVER
    acting: I2  # a bit for every seat that may act now
    ending: I1  # 0 while the game goes on, then an index into the game's endings
    moves_made: I4  # player moves, for the move limit


Field = tuple[str, str, tuple[int, ...]]


def fields_of(declared: type) -> list[Field]:
    """Return the name, integer type and shape of every declared field: `I1`, or `Annotated[Array, "i1", 8]`."""
    found = []
    for name, hint in get_type_hints(declared, include_extras=True).items():
        kind, *shape = getattr(hint, "__metadata__", (None,))
        if kind not in INTEGERS:
            raise ValueError(f"{declared.__name__}: field {name!r} must be one of {', '.join(INTEGERS)}, not {kind!r}")
        if name in TAKEN:
            raise ValueError(f"{declared.__name__}: NumPy arrays already have an attribute {name!r}")
        found.append((name, kind, tuple(shape)))
    return found


COMPACT: dict[np.dtype[Any], np.dtype[Any]] = {}  # with the compiler off: the compiled layout of each record


def record(name: str, declared: type) -> np.dtype[Any]:
    """Return the dtype of a declared record, with a field of its own name, since Numba takes equal dtypes for one type.

    Only signed integers are allowed, because `uint8 - uint8` is unsigned when compiled. Padding is a field, so that
    equal records have equal bytes. With the compiler off every integer has eight bytes, as in compiled arithmetic.
    """
    fields: list[Field] = [*fields_of(declared), (f"{name}_tag", "i1", ())]
    compact = layout(name, fields)
    if COMPILED:
        return compact
    wide = np.dtype((np.record, layout(name, [(field, "i8", shape) for field, _, shape in fields])))
    COMPACT[wide] = compact
    return wide


def layout(name: str, fields: list[Field]) -> np.dtype[Any]:
    """Return a dtype of some fields, the widest first, with padding to whole words."""
    fields = sorted(fields, key=lambda field: -INTEGERS[field[1]])
    missing = -sum(INTEGERS[kind] * int(np.prod(shape)) for _, kind, shape in fields) % 8
    if missing:
        fields.append((f"{name}_padding", "i1", (missing,)))
    return np.dtype(fields, align=True)


def compact_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the layout in which a record is written for other processes, compiled or not."""
    return COMPACT.get(dtype, dtype)


def to_compact(cell: Cell) -> bytes:
    """Return a record as bytes, the same whether the compiler is on or off."""
    compact = compact_dtype(cell.dtype)
    if compact is cell.dtype:
        return cell.tobytes()
    return convert(cell, np.zeros(1, compact)).tobytes()


def from_compact(data: bytes, dtype: np.dtype[Any]) -> Cell:
    """Return the record of some bytes, with a dtype of this process."""
    written = np.ndarray(1, compact_dtype(dtype), bytearray(data))
    return written if written.dtype is dtype else convert(written, np.zeros(1, dtype))


def plain(cell: Cell) -> dict[str, Any]:
    """Return the fields of a record as numbers and lists; to read them one by one takes several times as long."""
    values = zip(cell.dtype.names or (), cell.tolist()[0], strict=True)
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values}


def convert(cell: Cell, other: Cell) -> Cell:
    """Copy all fields of a record to one of another layout, and return that."""
    for name in other.dtype.names or ():
        if name in (cell.dtype.names or ()):  # not the padding
            other[name] = cell[name]
    return other


def copier(declared: type[T]) -> Callable[[T, T], None]:
    """Return a kernel that copies exactly the declared fields from one record to another that has them too."""
    names = [name for name, _, _ in fields_of(declared)]
    if not COMPILED:

        def copy_fields(source: Any, target: Any) -> None:
            for name in names:
                target[name] = source[name]

        return copy_fields

    @intrinsic
    def copy_compiled(context: Any, source: Any, target: Any) -> Any:
        if any(source.typeof(name) != target.typeof(name) for name in names):
            raise TypeError("a field differs between the two records")

        def copy(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            for name in names:
                origin = cgutils.pointer_add(builder, args[0], source.offset(name))
                place = cgutils.pointer_add(builder, args[1], target.offset(name))
                size = context.get_constant(types.intp, as_dtype(source.typeof(name)).itemsize)
                cgutils.raw_memcpy(builder, place, origin, size, 1)
            return context.get_dummy_value()

        return types.void(source, target), copy

    copying: Callable[[T, T], None] = copy_compiled
    return copying
