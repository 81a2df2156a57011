"""The operations of positions written out with numbers."""

import math

from service.engine.notation import Operands, Write, brackets, factor, tex


def frequency(of: Operands, result: float, write: Write) -> tuple[str, str]:
    base, dims = write(of.constants["base"]), write(of.constants["dims"])
    power, end = write(2.0 * of.place[1]), write(result)
    return (
        f"{factor(base)}^(-{power} / {dims}) = {end}",
        rf"{brackets(base)}^{{-{tex(power)}/{brackets(dims)}}} = {tex(end)}",
    )


def wave(of: Operands, result: float, write: Write) -> tuple[str, str]:
    pair, is_cosine = divmod(of.place[1], 2)
    name, angle, end = ("cos" if is_cosine else "sin"), write(of.values[0][pair]), write(result)
    return f"{name}({angle}) = {end}", rf"\{name}\left({tex(angle)}\right) = {tex(end)}"


def rotate(of: Operands, result: float, write: Write) -> tuple[str, str]:
    x, angles = of.values
    dims, place, end = int(of.constants["dims"]), of.place[1], write(result)
    if place >= dims:
        return f"not rotated: {end}", rf"\text{{not rotated: }} {tex(end)}"
    half = dims // 2
    if of.constants["half_split"]:
        pair, is_second = place % half, place >= half
        first, second = pair, pair + half
    else:
        pair, is_second = place // 2, bool(place % 2)
        first, second = 2 * pair, 2 * pair + 1
    a, b, angle = write(x[first]), write(x[second]), write(angles[pair])
    names, sign = (("sin", "cos"), "+") if is_second else (("cos", "sin"), "-")
    text = f"{factor(a)}·{names[0]}({angle}) {sign} {factor(b)}·{names[1]}({angle}) = {end}"
    latex = (
        rf"{brackets(a)} \{names[0]}\left({tex(angle)}\right) {sign}"
        rf" {brackets(b)} \{names[1]}\left({tex(angle)}\right) = {tex(end)}"
    )
    return text, latex


def slope(of: Operands, result: float, write: Write) -> tuple[str, str]:
    exponent, end = write(math.log2(result)), write(result)
    return f"2^({exponent}) = {end}", rf"2^{{{tex(exponent)}}} = {tex(end)}"


def distance(of: Operands, result: float, write: Write) -> tuple[str, str]:
    query, key = of.place[0] + of.constants["offset"], float(of.place[1])
    m, i, j, end = write(of.constants["slope"]), write(query), write(key), write(result)
    return (
        f"-{factor(m)}·|{i} - {j}| = {end}",
        rf"-{brackets(m)} \cdot |{tex(i)} - {tex(j)}| = {tex(end)}",
    )
