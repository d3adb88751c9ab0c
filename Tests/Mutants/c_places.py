"""Finds the possible mutations of a C file: operators, with their operands, and constants in function bodies."""

import re

from places import collect
from plain_code import blank, plain_c
from swift_places import OTHERS, other_number

TOKEN = re.compile(
    r"(?P<word>[A-Za-z_]\w*)|(?P<number>0[xX][\dA-Fa-f]+|\d+\.\d+|\d+)(?P<suffix>[uUlLfF]*)"
    r"|(?P<operator><<=|>>=|\|\||&&|==|!=|<=|>=|<<|>>|->|\+\+|--|[-+*/%&|^]=|[-+*/%&|^<>!=~])|(?P<other>\S)"
)
# Precedence; a higher number binds more tightly.
BINDING = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}
ENDS = {",", ";", "?", ":", "{", "}", "=", "return", "case", "else", "do"} | {
    sign + "=" for sign in ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
}
TABLE = re.compile(r"\bstatic const\b[^;(]*=[^;]*;")
FUNCTION_BODY = re.compile(r"^[A-Za-z_][^;{}=]*\)\s*\{$(.*?)^\}$", re.MULTILINE | re.DOTALL)


def c_places(module, file, text):
    """All places in a file. The place of an operator includes its operands."""
    code = TABLE.sub(lambda match: blank(match.group()), plain_c(text))
    found = []
    for body in FUNCTION_BODY.finditer(code):
        tokens = list(TOKEN.finditer(code, body.start(1), body.end(1)))
        for index, token in enumerate(tokens):
            change = changed(tokens, index, code)
            if change:
                found.append(change)
    return collect(module, file, text, found)


def changed(tokens, index, code):
    """The offset, start, end, kind, old and new text of the mutation of a token; None if it cannot be mutated."""
    token, before = tokens[index], tokens[index - 1].group() if index else ""
    text = token.group()
    if text in ("true", "false"):
        return token.start(), token.start(), token.end(), "boolean", text, "false" if text == "true" else "true"
    if token["number"] and before not in ("case", ".") and "f" not in token["suffix"].lower():
        kind, _, new = other_number(token["number"])
        return token.start(), token.start(), token.end(), kind, text, new + token["suffix"]
    if text == "!":
        return token.start(), token.start(), end_of_operand(tokens, index), "negation", "!", "(nothing)"
    if text in BINDING and text in OTHERS and code[token.start() - 1] == code[token.end()] == " ":
        start, end = left_end(tokens, index), right_end(tokens, index)
        return token.start(), start, end, "binary", text, OTHERS[text]
    return None


def left_end(tokens, index):
    """The offset where the left operand begins."""
    limit, depth, start = BINDING[tokens[index].group()], 0, tokens[index].start()
    for position in range(index - 1, -1, -1):
        text = tokens[position].group()
        if depth == 0 and (text in ("(", "[") or text in ENDS or is_looser(tokens, position, limit)):
            break
        depth += (text in (")", "]")) - (text in ("(", "["))
        start = tokens[position].start()
    return start


def right_end(tokens, index):
    """The offset where the right operand ends, before any operator of the same precedence."""
    limit, depth, end = BINDING[tokens[index].group()], 0, tokens[index].end()
    for position in range(index + 1, len(tokens)):
        text = tokens[position].group()
        if depth == 0 and (text in (")", "]") or text in ENDS or is_looser(tokens, position, limit + 1)):
            break
        depth += (text in ("(", "[")) - (text in (")", "]"))
        end = tokens[position].end()
    return end


def is_looser(tokens, position, limit):
    """Whether a token is a binary operator of a precedence below the limit."""
    text = tokens[position].group()
    if text not in BINDING or BINDING[text] >= limit:
        return False
    before = tokens[position - 1] if position else None
    return before is not None and bool(before["word"] or before["number"] or before.group() in (")", "]"))


def end_of_operand(tokens, index):
    """The offset where the operand of `!` ends: a name or parentheses, with calls, subscripts and members."""
    depth, end = 0, tokens[index].end()
    for position in range(index + 1, len(tokens)):
        text = tokens[position].group()
        is_part = tokens[position]["word"] or text in ("(", "[", "->", ".") or (text == "!" and position == index + 1)
        if depth == 0 and not is_part:
            break
        depth += (text in ("(", "[")) - (text in (")", "]"))
        end = tokens[position].end()
    return end
