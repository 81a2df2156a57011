"""The MLP of a block, the same for each token by itself.

MLP(x) = φ(x W_up + b_up) W_down + b_down; gated: (φ(x W_gate + b_gate) ⊙ (x W_up + b_up)) W_down
+ b_down. Sources: Vaswani et al. 2017, section 3.3, equation 2; Shazeer 2020, equation 6.
"""

from service.engine import layernorm_rules
from service.engine.block import mlp_rules as rules
from service.engine.block.activations import GATED, OPERATIONS
from service.engine.block.given import Mlp
from service.engine.block.places import Placed, check_fits, copy
from service.engine.blocks import whole
from service.engine.counted import counted
from service.engine.errors import EngineError, ShapeError
from service.engine.limits import norm
from service.engine.projection import bias_of, project
from service.engine.trace import Array, Axis, Step, Trace


def mlp(x: Placed, given: Mlp, activation: str, layout: str, axes: dict[str, Axis]) -> Trace:
    """x, [gate,] up, activated, [gated,] update.

    x (n, d_model), W_up and W_gate (d_ff, d_model), W_down (d_model, d_ff) for out_in.
    Raises EngineError for a matrix that is missing or one too many, ShapeError, OverflowingStep.
    """
    check_complete(given, activation)
    d_model = x.value.shape[1]
    of_x = copy(x, layernorm_rules.X)
    up, inputs = linear("up", of_x, "W_up", given.W_up, given.b_up, layout)
    size = norm(whole(up.value))
    steps = [of_x, up]
    if activation in GATED:
        gate, more = linear("gate", of_x, "W_gate", given.W_gate, given.b_gate, layout)
        size += norm(whole(gate.value))
        steps += [gate, *gated(up, gate, GATED[activation])]
        inputs += more
    else:
        steps.append(activated(up, activation))
    update, more = linear("update", steps[-1], "W_down", given.W_down, given.b_down, layout)
    width = update.value.shape[1]
    if width != d_model:
        raise ShapeError(
            "W_down",
            f"W_down makes updates of {counted(width, 'numbers')}, but x has"
            f" {counted(d_model, 'columns')}; the update is added to x, so both need d_model.",
        )
    conventions = {"activation": activation, "weights_layout": layout}
    axes = {**axes, "d_ff": Axis(up.value.shape[1])}
    trace = Trace(axes, inputs + more, [*steps, update], conventions, [], {}, x.elsewhere())
    # |φ(x)| ≤ |x|, so what is gated is no larger than |gate| · |up|.
    return check_fits(trace, size * size + size + norm(whole(update.value)))


def check_complete(given: Mlp, activation: str) -> None:
    """Raise EngineError unless the matrices are there that the activation needs."""
    for name, W in (("W_up", given.W_up), ("W_down", given.W_down)):
        if W is None:
            raise EngineError(name, f"{name} is missing; an MLP needs W_up and W_down.")
    gate = given.W_gate if given.W_gate is not None else given.b_gate
    if activation in GATED and given.W_gate is None:
        raise EngineError("W_gate", f"W_gate is missing; {activation} needs it.")
    if activation not in GATED and gate is not None:
        name = "b_gate" if given.W_gate is None else "W_gate"
        raise EngineError(name, f"{name} is for a gated activation; {activation} has no gate.")


def linear(
    name: str, source: Step, W_name: str, W: Array | None, b: Array | None, layout: str
) -> tuple[Step, list[Step]]:
    """x W + b as a step, and what was given for it."""
    assert W is not None
    of = "the hidden layer" if name == "update" else "x"
    dims = "d_ff d_model" if name == "update" else "d_model d_ff"
    d_in, d_out = dims.split()
    value = project(whole(source.value), W_name, W, layout, of, d_out, b)
    inputs = [Step(rules.weight(W_name, layout, d_out, d_in), W)]
    if b is not None:
        inputs.append(Step(rules.bias(bias_of(W_name), d_out), b))
    rule = rules.linear(name, source.rule.name, W_name, layout, dims, b is not None)
    return Step(rule, value), inputs


def activated(source: Step, operation: str) -> Step:
    """The activation of every cell."""
    return Step(
        rules.activated(operation, source.rule.name), OPERATIONS[operation](whole(source.value))
    )


def gated(up: Step, gate: Step, operation: str) -> list[Step]:
    """The activated gate, and up times it. ShapeError unless both have d_ff numbers."""
    if gate.value.shape != up.value.shape:
        wide, due = gate.value.shape[1], up.value.shape[1]
        said = f"W_gate makes {counted(wide, 'numbers')}, but W_up {due}; both need d_ff."
        raise ShapeError("W_gate", said)
    hidden = activated(gate, operation)
    return [hidden, Step(rules.GATED, whole(hidden.value) * whole(up.value))]
