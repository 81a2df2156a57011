"""Reading a formula in named variables; nothing is evaluated as program text.

sum      = product {("+" | "-") product}
product  = factor {("*" | "/") factor | factor without a number in front}
factor   = {"+" | "-"} power
power    = atom ["^" {"+" | "-"} atom]
atom     = number | name | function "(" sum ")" | "√" atom | "(" sum ")"

So 2x, 2(x + 1), (x + 1)(x + 2) and, where x and y are variables, x(y + 1) and xy are products, and
-x^2 is -(x^2). Where a product without a sign follows a quotient, a power or a root without
brackets, people differ about its extent (1/2x, x^2y, √2x), so it is refused; so is 2^3^4.
"""

from collections.abc import Collection

from service.engine.grading.formulas.tokens import Token, tokens
from service.engine.grading.formulas.tree import Call, Constant, Name, Negative, Node, Operation
from service.engine.grading.reading.problems import BLANK
from service.engine.grading.reading.values import Problem

LONGEST_TEXT = 200
DEEPEST = 30

TOO_LONG = Problem("too_long", f"A formula has at most {LONGEST_TEXT} characters.")
TOO_DEEP = Problem("too_long", f"A formula has at most {DEEPEST} brackets in brackets.")
EXTENT = Problem(
    "ambiguous",
    "It is not clear how far a quotient, power or root goes; write brackets: 1/(2x) or (1/2)x.",
)
TWO_NUMBERS = Problem("not_understood", "A number stands next to something; write * between.")
UNFINISHED = Problem("not_understood", "Something is missing in this formula.")

_STARTS = frozenset({"name", "function", "(", "√"})


class _Refused(Exception):
    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def understood(text: str, variables: tuple[str, ...], locale: str | None = None) -> Node | Problem:
    """The formula that text is, or why it is none."""
    if not text.strip():
        return BLANK
    if len(text) > LONGEST_TEXT:
        return TOO_LONG
    found = tokens(text, variables, locale)
    if isinstance(found, Problem):
        return found
    parser = _Parser(found)
    try:
        node = parser.sum()
    except _Refused as refused:
        return refused.problem
    return node if parser.next.kind == "end" else _left_over(parser.next)


def _left_over(token: Token) -> Problem:
    if token.kind == ")":
        return Problem("not_understood", "A bracket closes that was not opened.")
    return TWO_NUMBERS


class _Parser:
    """Recursive descent: a method for each rule of the grammar above."""

    def __init__(self, words: Collection[Token]) -> None:
        self._words = iter(words)
        self._depth = 0
        self.next = Token("end")
        self._advance()

    def sum(self) -> Node:
        node = self._product()
        while self.next.kind in ("+", "-"):
            operator = self._advance().kind
            node = Operation(operator, node, self._product())
        return node

    def _product(self) -> Node:
        node, open_end = self._factor()
        divides = False
        while True:
            if self.next.kind in ("*", "/"):
                operator = self._advance().kind
                if operator == "/" and open_end == "root":
                    raise _Refused(EXTENT)
                factor, open_end = self._factor()
                divides = operator == "/"
                node = Operation(operator, node, factor)
            elif self.next.kind in _STARTS:
                if divides or open_end:
                    raise _Refused(EXTENT)
                factor, open_end = self._factor()
                node = Operation("*", node, factor)
            else:
                return node

    def _factor(self) -> tuple[Node, str]:
        """A factor, and whether what is put after it could belong to its "root" or "power"."""
        is_negative = self._signs()
        node, open_end = self._power()
        return (Negative(node) if is_negative else node), open_end

    def _signs(self) -> bool:
        is_negative = False
        while self.next.kind in ("+", "-"):
            is_negative ^= self._advance().kind == "-"
        return is_negative

    def _power(self) -> tuple[Node, str]:
        is_root = self.next.kind == "√"
        base, is_bracketed = self._atom()
        open_end = "root" if is_root and not is_bracketed else ""
        if self.next.kind != "^":
            return base, open_end
        self._advance()
        is_negative = self._signs()
        exponent, is_bracketed = self._atom()
        if open_end or self.next.kind == "^":
            raise _Refused(EXTENT)
        # x^2(y + 1) is clear; x^2y and e^x(y + 1) are not.
        is_clear = is_bracketed or (isinstance(exponent, Constant) and self.next.kind == "(")
        power = Operation("^", base, Negative(exponent) if is_negative else exponent)
        return power, "" if is_clear else "power"

    def _atom(self) -> tuple[Node, bool]:
        """An atom, and whether brackets say where it ends."""
        token = self._advance()
        match token.kind:
            case "number":
                return Constant(token.value), False
            case "name":
                return Name(token.text), False
            case "function":
                self._advance()  # the bracket, without which it is no function
                return Call(token.text, self._inside()), True
            case "√":
                inside, is_bracketed = self._atom()
                return Call("sqrt", inside), is_bracketed
            case "(":
                return self._inside(), True
            case _:
                raise _Refused(UNFINISHED)

    def _inside(self) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise _Refused(TOO_DEEP)
        node = self.sum()
        if self._advance().kind != ")":
            raise _Refused(Problem("not_understood", "A bracket is not closed."))
        self._depth -= 1
        return node

    def _advance(self) -> Token:
        token = self.next
        self.next = next(self._words, Token("end"))
        return token
