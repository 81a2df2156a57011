"""LaTeX formulas as Unicode text, as far as questions need them."""

import re
from collections import deque

_TOKENS = re.compile(r"\\[a-zA-Z]+|\\.|\s+|.", re.DOTALL)
_SIMPLE = re.compile(r"[\w.,√∞]+")
_RAISED = str.maketrans("0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_INTEGER = re.compile(r"−?\d+")

_SIGNS = {
    **{r"\%": "%", r"\{": "{", r"\}": "}", r"\_": "_", r"\&": "&", r"\#": "#", r"\|": "‖"},
    **{r"\,": " ", r"\;": " ", r"\:": " ", r"\ ": " ", r"\quad": " ", r"\!": ""},
    **{r"\left": "", r"\right": "", "-": "−", "~": " "},
    **{r"\infty": "∞", r"\top": "ᵀ", r"\sum": "Σ", r"\pi": "π", r"\partial": "∂"},
    **{r"\alpha": "α", r"\beta": "β", r"\gamma": "γ", r"\epsilon": "ε", r"\varepsilon": "ε"},
    **{r"\lambda": "λ", r"\mu": "μ", r"\sigma": "σ", r"\theta": "θ", r"\tau": "τ"},
    **{r"\Delta": "Δ", r"\ldots": "…", r"\dots": "…", r"\cdots": "⋯", r"\prime": "′"},
    **{r"\lVert": "‖", r"\rVert": "‖", r"\lvert": "|", r"\rvert": "|"},
    **{r"\odot": "⊙", r"\circ": "°"},
}
_FUNCTIONS = {"log", "ln", "exp", "max", "min", "sin", "cos", "tanh"}
_TIGHT = {r"\cdot": "·"}
_SPACED = {
    **{r"\times": "×", r"\approx": "≈", r"\le": "≤", r"\ge": "≥", r"\ne": "≠", r"\ll": "≪"},
    **{r"\gg": "≫", r"\to": "→", r"\in": "∈", r"\pm": "±", r"\mapsto": "↦"},
}
_UPRIGHT = {r"\text", r"\mathrm", r"\mathbf", r"\operatorname"}


def unicode_of(formula: str) -> str:
    r"""\frac{q \cdot k}{\sqrt{d_k}} -> "q·k/√d_k". Raises ValueError for an unknown command."""
    tokens = deque(_TOKENS.findall(formula))
    written = _until(None, tokens)
    return re.sub(r" +", " ", written).strip()


def _until(end: str | None, tokens: deque[str]) -> str:
    """Everything up to the token `end`, which is taken, or up to the last one."""
    out = ""
    while tokens:
        token = tokens.popleft()
        if token == end:
            return out
        if token in _TIGHT:
            out = out.rstrip() + _TIGHT[token]
            _skip_space(tokens)
        elif token == "&" or token == r"\\":
            out = out.rstrip() + (", " if token == "&" else "; ")
            _skip_space(tokens)
        else:
            out += _one(token, tokens)
    if end is not None:
        raise ValueError(f"a formula that ends before {end}")
    return out


def _one(token: str, tokens: deque[str]) -> str:
    """What a token stands for, with its arguments."""
    if token == "{":
        return _until("}", tokens)
    if token == "^":
        return _raised(_argument(tokens))
    if token == r"\sqrt":
        return "√" + _bracketed(_argument(tokens))
    if token == r"\frac":
        above, below = _argument(tokens), _argument(tokens)
        return f"{_term(above)}/{_bracketed(below)}"
    if token in _UPRIGHT:
        return _upright(tokens)
    if token == r"\begin":
        _argument(tokens)
        inside = _until(r"\end", tokens)
        _argument(tokens)
        return f"({inside.strip()})"
    if token in _SPACED:
        return f" {_SPACED[token]} "
    if token.removeprefix("\\") in _FUNCTIONS:
        return token.removeprefix("\\")
    if token in _SIGNS:
        if token[1:].isalpha() and len(tokens) > 1 and tokens[1].isalnum():
            _skip_space(tokens)
        return _SIGNS[token]
    if token.startswith("\\"):
        raise ValueError(f"no Unicode is known for {token}")
    return " " if token.isspace() else token


def _argument(tokens: deque[str]) -> str:
    _skip_space(tokens)
    if not tokens:
        raise ValueError("a formula that ends before an argument")
    return _one(tokens.popleft(), tokens).strip()


def _upright(tokens: deque[str]) -> str:
    """The words of \\text{…} as they are, hyphens and blanks too."""
    _skip_space(tokens)
    words = list(tokens)
    if "}" not in words or words[0] != "{":
        raise ValueError("a formula that ends before its words do, which stand in braces")
    end = words.index("}")
    for _ in range(end + 1):
        tokens.popleft()
    return "".join(words[1:end])


def _raised(exponent: str) -> str:
    if exponent == "ᵀ":
        return exponent
    if _INTEGER.fullmatch(exponent):
        return exponent.translate(_RAISED)
    return f"^{exponent if exponent.startswith('−∞') else _bracketed(exponent)}"


def _bracketed(text: str) -> str:
    """In brackets unless it is one name or number."""
    return text if _SIMPLE.fullmatch(text.removeprefix("−")) else f"({text})"


def _term(text: str) -> str:
    """In brackets if it is a sum."""
    return f"({text})" if re.search(r"\+|.−", re.sub(r"\(.*\)", "", text)) else text


def _skip_space(tokens: deque[str]) -> None:
    while tokens and tokens[0].isspace():
        tokens.popleft()
