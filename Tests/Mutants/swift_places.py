"""Finds the possible mutations of a Swift file."""

import re

from places import collect
from plain_code import plain_swift

OTHERS = {
    "||": "&&", "&&": "||", "==": "!=", "!=": "==", "===": "!==", "!==": "===",
    "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "+=": "-=", "-=": "+=", "*=": "+=",
    "&+": "&-", "&-": "&+", "<<": ">>", ">>": "<<", "&": "|", "|": "&",
}
TOKEN = re.compile(
    r"(?P<word>[A-Za-z_$`][\w$`]*)"
    r"|(?P<number>0x[\dA-Fa-f_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)"
    r"|(?P<operator>[-+*/%=<>!&|^~?.]+)"
    r"|(?P<other>\S)"
)
DECLARATIONS = {
    "func", "init", "extension", "struct", "class", "enum", "actor", "protocol", "subscript", "typealias",
    "associatedtype",
}
RAW_VALUE = re.compile(r"^\s*case `?\w+`? = ")


def swift_places(module, file, text):
    """All places in a file."""
    code = plain_swift(text)
    tokens = list(TOKEN.finditer(code))
    skipped = constraints(tokens) | patterns(tokens)
    found = []
    for index, token in enumerate(tokens):
        if index in skipped:
            continue
        before = tokens[index - 1].group() if index else ""
        after = tokens[index + 1].group() if index + 1 < len(tokens) else ""
        change = changed(token, code, before, after)
        if change and not RAW_VALUE.match(code, code.rfind("\n", 0, token.start()) + 1):
            found.append((token.start(), token.start(), token.end(), *change))
    return collect(module, file, text, found)


def changed(token, code, before, after):
    """The kind, old and new text of the mutation of a token; None if it cannot be mutated."""
    text = token.group()
    if token["word"]:
        # `while true` must stay an endless loop, because the function may have no return after it.
        is_constant = text in ("true", "false") and before not in (".", "while")
        return ("boolean", text, "false" if text == "true" else "true") if is_constant else None
    if token["number"]:
        return None if before.endswith(".") and not before.startswith("..") else other_number(text)
    if text == "!" and not code[token.end()].isspace() and not follows_operand(code, token.start()):
        return "negation", "!", "(nothing)"
    if text not in OTHERS or before in ("func", "operator", "case"):
        return None
    if not (code[token.start() - 1].isspace() and code[token.end()].isspace()):
        return None
    if text == "&" and (before[:1].isupper() or before[-1:] == ">") and after[:1].isupper():
        return None  # a protocol composition
    return "binary", text, OTHERS[text], after == "nil"


def follows_operand(code, position):
    """Whether an operand ends directly before a position, which makes an operator there a postfix one."""
    return position > 0 and (code[position - 1].isalnum() or code[position - 1] in "_)]}?!`>")


def other_number(text):
    """The mutation of a number: one less, or 1 for 0; one more for a fraction, or twice a large one."""
    plain = text.replace("_", "")
    if re.fullmatch(r"\d+", plain) or plain[:2] in ("0x", "0b", "0o"):
        value = int(plain, 0 if plain[:2] in ("0x", "0b", "0o") else 10)
        return "integer", text, str(value - 1 if value else 1)
    value = float(plain)
    return "fraction", text, str(value + 1 if value < 1000 else value * 2)


def constraints(tokens):
    """The tokens of generic constraints: from `where` to the body of a declaration."""
    skipped, statement, is_inside = set(), set(), False
    for index, token in enumerate(tokens):
        text = token.group()
        if text in "{};":
            statement, is_inside = set(), False
        elif text == "where" and statement & DECLARATIONS and not statement & {"for", "case", "catch"}:
            is_inside = True
        statement.add(text)
        if is_inside:
            skipped.add(index)
    return skipped


def patterns(tokens):
    """The constants in patterns: between `case` and its colon or equals sign."""
    skipped, depth, is_inside = set(), 0, False
    for index, token in enumerate(tokens):
        text = token.group()
        if text == "case":
            depth, is_inside = 0, True
        elif text in ("where", "=", "{", "}") or (text == ":" and depth == 0):
            is_inside = False
        depth += (text in "([") - (text in ")]")
        if is_inside and not token["operator"]:
            skipped.add(index)
    return skipped
