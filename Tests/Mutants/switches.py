"""Source text with every mutant compiled in and switched at run time.

In Swift each mutated operator is replaced by an operator declared for it alone, so that its operands need not be
parsed: `a <= b` becomes `a <=↑ b`, where the arrows encode the number of the mutant. In C the expression is written
twice, in both branches of a conditional.
"""

TARGET = "MutantSwitch"
HELPER = "Mutants.swift"
RECORD = -1  # in place of a mutant's number: no mutant is active, and programs record which ones they execute
ARROWS = "←↑→↓↔↕↖↗↘↙"
PRECEDENCES = {
    "LogicalDisjunctionPrecedence": "||", "LogicalConjunctionPrecedence": "&&",
    "ComparisonPrecedence": "== != === !== < <= > >=", "AdditionPrecedence": "+ - | &+ &-",
    "MultiplicationPrecedence": "* / % &", "BitwiseShiftPrecedence": "<< >>", "AssignmentPrecedence": "+= -= *=",
}
PRECEDENCE = {operator: name for name, operators in PRECEDENCES.items() for operator in operators.split()}

# Generic parameters, parameters and result of the operator functions.
LOGICAL = ("", "_ left: Bool, _ right: @autoclosure () throws -> Bool", "rethrows -> Bool")
EQUATABLE = ("<Value: Equatable>", "_ left: Value, _ right: Value", "-> Bool")
WITH_NIL = ("<Value>", "_ left: Value?, _ right: _OptionalNilComparisonType", "-> Bool")
IDENTITY = ("", "_ left: AnyObject?, _ right: AnyObject?", "-> Bool")
COMPARABLE = ("<Value: Comparable>", "_ left: Value, _ right: Value", "-> Bool")
ADDITIVE = ("<Value: AdditiveArithmetic>", "_ left: Value, _ right: Value", "-> Value")
NUMERIC = ("<Value: Numeric>", "_ left: Value, _ right: Value", "-> Value")
INTEGER = ("<Value: BinaryInteger>", "_ left: Value, _ right: Value", "-> Value")
FIXED = ("<Value: FixedWidthInteger>", "_ left: Value, _ right: Value", "-> Value")
FLOATING = ("<Value: FloatingPoint>", "_ left: Value, _ right: Value", "-> Value")
SHIFT = ("<Value: BinaryInteger, Count: BinaryInteger>", "_ left: Value, _ right: Count", "-> Value")
ASSIGNING = ("<Value: AdditiveArithmetic>", "_ left: inout Value, _ right: Value", "")
MULTIPLYING = ("<Value: Numeric>", "_ left: inout Value, _ right: Value", "")
INSTANT = ("<Value: InstantProtocol>", "_ left: Value, _ right: Value.Duration", "-> Value")
# For collections, the mutant of `+` drops the right side.
COLLECTION = ("<Value: RangeReplaceableCollection>", "_ left: Value, _ right: some Sequence<Value.Element>",
              "-> Value")
APPENDING = ("<Value: RangeReplaceableCollection>", "_ left: inout Value, _ right: some Sequence<Value.Element>",
             "")
FORMS = {
    "||": [LOGICAL], "&&": [LOGICAL], "==": [EQUATABLE], "!=": [EQUATABLE], "===": [IDENTITY], "!==": [IDENTITY],
    "<": [COMPARABLE], "<=": [COMPARABLE], ">": [COMPARABLE], ">=": [COMPARABLE],
    "+": [ADDITIVE, INSTANT, COLLECTION], "-": [ADDITIVE], "*": [NUMERIC], "/": [INTEGER, FLOATING], "%": [INTEGER],
    "&+": [FIXED], "&-": [FIXED], "<<": [SHIFT], ">>": [SHIFT], "&": [INTEGER], "|": [INTEGER],
    "+=": [ASSIGNING, APPENDING], "-=": [ASSIGNING], "*=": [MULTIPLYING],
}
LITERALS = {"integer": "ExpressibleByIntegerLiteral", "fraction": "ExpressibleByFloatLiteral",
            "boolean": "ExpressibleByBooleanLiteral"}

C_HEADER = """#pragma once
#include <stdbool.h>
#include <stdint.h>
// Whether this mutant is active. Records that the mutated code was executed.
bool mutant_is_active(int32_t number);
"""
# The files are opened before `main`, since the sandboxed decoder cannot open them later. An environment variable would
# not reach a program started with an empty environment.
C_SOURCE = """#include "MutantSwitch.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static int32_t active;
static unsigned char *reached;
static size_t count;
__attribute__((constructor)) static void read_choice(void) {
    char text[16] = {0};
    int file = open("ACTIVE", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, text, sizeof text - 1) > 0) active = atoi(text);
        close(file);
    }
    if (active != RECORD) return;
    file = open("REACHED", O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    off_t bytes = lseek(file, 0, SEEK_END);
    void *memory = bytes > 0 ? mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (memory != MAP_FAILED) {
        reached = memory;
        count = (size_t)bytes;
    }
    close(file);
}
bool mutant_is_active(int32_t number) {
    if ((size_t)number < count && !reached[number]) reached[number] = 1;
    return number == active;
}
"""
# Appended to Package.swift in the copy.
PACKAGE_END = f"""
for target in package.targets where target.type != .system {{ target.dependencies.append("{TARGET}") }}
package.targets.append(.target(name: "{TARGET}"))
"""
HELPER_START = f"""internal import {TARGET}
@usableFromInline func mutantIsActive(_ number: Int32) -> Bool {{ mutant_is_active(number) }}
"""


def arrows(number):
    """The number of a mutant, in operator characters."""
    return "".join(ARROWS[int(digit)] for digit in str(number))


def helper(mutants):
    """The Swift file that declares the operators of a module's mutants, and a map from its lines to mutants."""
    lines, owners = HELPER_START.splitlines(), {}
    for kind, literal in LITERALS.items():
        lines.append(f"@usableFromInline func mutated_{kind}<Value: {literal}>"
                     "(_ number: Int32, _ old: Value, _ new: Value) -> Value { mutantIsActive(number) ? new : old }")
    for number, place in mutants.items():
        if place.kind in ("binary", "negation"):
            for line in declaration(number, place):
                lines.append(line)
                owners[len(lines)] = number
    return "\n".join(lines) + "\n", owners


def declaration(number, place):
    """The lines that declare the operator of a mutant."""
    name = place.old + arrows(number)
    if place.kind == "negation":
        return [f"prefix operator {name}",
                f"@usableFromInline prefix func {name}(_ value: Bool) -> Bool "
                f"{{ mutantIsActive({number}) ? value : !value }}"]
    forms = [WITH_NIL] if place.compares_nil else FORMS[place.old]
    return [f"infix operator {name}: {PRECEDENCE[place.old]}"] + [
        f"@usableFromInline func {name} {generics}({parameters}) {result} {{ {body(number, place, form)} }}"
        for form in forms for generics, parameters, result in [form]]


def body(number, place, form):
    """The body of an operator function."""
    right = "right()" if form is LOGICAL else "right"
    old, new = f"left {place.old} {right}", f"left {place.new} {right}"
    if form is INSTANT:
        old, new = "left.advanced(by: right)", "left.advanced(by: .zero - right)"
    elif form is COLLECTION:
        new = "left"
    elif form is APPENDING:
        new = "()"
    if form in (ASSIGNING, MULTIPLYING, APPENDING):
        return f"if mutantIsActive({number}) {{ {new} }} else {{ {old} }}"
    return f"{'try ' if form is LOGICAL else ''}mutantIsActive({number}) ? ({new}) : ({old})"


def mutated_swift(text, mutants):
    """The text of a Swift file with its mutants."""
    for number, place in sorted(mutants.items(), key=lambda mutant: -mutant[1].at):
        if place.kind in LITERALS:
            switch = f"mutated_{place.kind}({number}, {place.old}, {place.new})"
        else:
            switch = place.old + arrows(number)
        text = text[:place.start] + switch + text[place.end:]
    return text


def mutated_c(text, mutants):
    """The text of a C file with its mutants. Line numbers stay the same."""
    ordered = sorted(mutants.items(), key=lambda mutant: (mutant[1].start, -mutant[1].end))
    return f'#include "{TARGET}.h"\n#line 1\n' + rendered(text, 0, len(text), ordered)


def rendered(text, start, end, mutants):
    """A range of a C file with the mutants in it, which are sorted so that outer ones come first."""
    parts, position = [], start
    while mutants:
        (number, place), *mutants = mutants
        if place.start < position or place.end > end:
            raise ValueError(f"the operands of two mutants overlap: {place}")
        inner = [one for one in mutants if place.start <= one[1].start and one[1].end <= place.end]
        mutants = [one for one in mutants if one not in inner]
        parts += [text[position:place.start], switched(text, number, place, inner)]
        position = place.end
    return "".join(parts) + text[position:end]


def switched(text, number, place, inner):
    """The C expression that selects the old or the new version."""
    if place.kind in LITERALS:
        return f"(mutant_is_active({number}) ? {place.new} : {place.old})"
    behind = place.at + len(place.old)
    left = rendered(text, place.start, place.at, [one for one in inner if one[1].end <= place.at])
    right = rendered(text, behind, place.end, [one for one in inner if one[1].start >= behind])
    # The copy is on one line, so that line numbers stay the same.
    again = [" ".join(side.split("\n")) for side in (left, right)]
    new = "" if place.kind == "negation" else place.new
    return f"(mutant_is_active({number}) ? {again[0]}{new}{again[1]} : {left}{place.old}{right})"
