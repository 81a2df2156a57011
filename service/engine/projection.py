"""Token vectors times a weight matrix, in either layout."""

from service.engine.counted import counted
from service.engine.errors import ShapeError
from service.engine.limits import check_cells
from service.engine.trace import Array

# out_in: W is d_out × d_in and acts as W·x (nn.Linear). in_out: W is d_in × d_out, x·W (the paper).
OUT_IN = "out_in"
IN_OUT = "in_out"


def product(a: Array, b: Array) -> Array:
    """A B of two matrices, or of each pair where several stand side by side: (…, n, m)."""
    if b.ndim == 2 == a.ndim:
        found: Array = a.dot(b)  # half the overhead of @ where matrices are small
        return found
    return a @ b


def as_in_out(W: Array, layout: str) -> Array:
    """W as a matrix to multiply rows with, whatever the caller's layout. A view."""
    return W.mT if layout == OUT_IN else W


def check_width(name: str, W: Array, layout: str, d_in: int, of: str, d_out: str) -> None:
    """Raise ShapeError, with the way out, unless W takes vectors of d_in numbers."""
    n, m = W.shape[-2:]
    if (m if layout == OUT_IN else n) == d_in:
        return
    due = f"{d_out} × {d_in}" if layout == OUT_IN else f"{d_in} × {d_out}"
    message = f"{name} is {n} × {m}, but {of} has {d_in} columns; it must be {due}."
    if (n if layout == OUT_IN else m) == d_in:
        other = IN_OUT if layout == OUT_IN else OUT_IN
        message += f' It fits the other layout: send "weights_layout": "{other}", or transpose it.'
    raise ShapeError(name, message)


def check_bias(name: str, b: Array | None, d_out: int, of: str) -> None:
    """Raise ShapeError unless a bias (1, d_out) has one number for each output of its matrix."""
    if b is not None and b.shape[-1] != d_out:
        given = counted(b.shape[-1], "numbers")
        raise ShapeError(name, f"{name} has {given}, but {of} makes {d_out}; send one for each.")


def project(
    x: Array, name: str, W: Array, layout: str, of: str, d_out: str, b: Array | None = None
) -> Array:
    """x Wᵀ + b for the layout out_in, x W + b for in_out: (n, d_in) -> (n, d_out).

    Several W side by side, (n_heads, …), give as many products. The bias of W_Q is called b_Q.
    Raises ShapeError if W does not take x's columns or b does not fit W, TooLarge before a product
    that is too large.
    """
    in_out = as_in_out(W, layout)
    if x.shape[1] != in_out.shape[-2]:
        check_width(name, W, layout, x.shape[1], of, d_out)
    check_cells(name, len(x), in_out.shape[-1])
    if b is None:
        return product(x, in_out)
    check_bias(bias_of(name), b, in_out.shape[-1], name)
    return product(x, in_out) + b


def bias_of(weight: str) -> str:
    """The name of the bias that goes with a weight matrix."""
    return f"b{weight[1:]}"
