"""Source text with everything but code replaced by spaces, so that offsets stay the same."""

import re

STRING_START = re.compile(r'(#*)("""|")')
ATTRIBUTE = re.compile(r"@\w+(\((?:[^()]|\([^()]*\))*\))?")
CONDITION = re.compile(r"^[ \t]*#(?:if|elseif|else|endif|error|warning)\b.*$", re.MULTILINE)
C_NO_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r'|"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])*'"
    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
    re.DOTALL | re.MULTILINE,
)


def blank(text):
    """The text with every character but line breaks replaced by a space."""
    return re.sub(r"[^\n]", " ", text)


def plain_swift(text):
    """Swift without comments, strings, attributes and conditional compilation directives."""
    parts, position = [], 0
    while position < len(text):
        end = end_of_comment(text, position) or end_of_string(text, position)
        if end:
            parts.append(blank(text[position:end]))
            position = end
        else:
            parts.append(text[position])
            position += 1
    code = "".join(parts)
    for pattern in (ATTRIBUTE, CONDITION):
        code = pattern.sub(lambda match: blank(match.group()), code)
    return code


def end_of_comment(text, start):
    """The offset after the comment that begins here; None if no comment begins here."""
    if text.startswith("//", start):
        end = text.find("\n", start)
        return len(text) if end < 0 else end
    if not text.startswith("/*", start):
        return None
    depth, position = 1, start + 2
    while depth and position < len(text):
        mark = text[position:position + 2]
        depth += {"/*": 1, "*/": -1}.get(mark, 0)
        position += 2 if mark in ("/*", "*/") else 1
    return position


def end_of_string(text, start):
    """The offset after the string literal that begins here; None if no string begins here."""
    begin = STRING_START.match(text, start)
    if not begin:
        return None
    hashes, quotes = begin.groups()
    position = begin.end()
    while position < len(text):
        if text.startswith(quotes + hashes, position):
            return position + len(quotes + hashes)
        if text.startswith("\\" + hashes, position):
            position += 1 + len(hashes)
            position = end_of_parentheses(text, position) if text.startswith("(", position) else position + 1
        else:
            position += 1
    return position


def end_of_parentheses(text, start):
    """The offset after the parenthesis that matches the one here."""
    depth, position = 0, start
    while position < len(text):
        string = end_of_string(text, position)
        if string:
            position = string
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
        if depth == 0:
            break
    return position


def plain_c(text):
    """C without comments, strings and preprocessor directives."""
    return C_NO_CODE.sub(lambda match: blank(match.group()), text)
