#!/usr/bin/env python3
"""Computes the perceptual hashes of pictures, independently of clipcanvas.

    hashes.py WIDTH HEIGHT CHANNELS FILE...

Each file has the pixels of a picture, as rows of 8-bit RGB or RGBA without gaps. For each, a line has the hash as 16
hexadecimal digits, and a number for each bit from the most significant one: how far its coefficient is above the median.
"""

import math
import sys

SIDE = 32
LOW = 8
WEIGHTS = (0.2126, 0.7152, 0.0722)


def luma(pixels, width, height, channels):
    """The rows of the luma over black."""
    rows = []
    for y in range(height):
        row = []
        for x in range(width):
            start = (y * width + x) * channels
            value = sum(weight * pixels[start + channel] for channel, weight in enumerate(WEIGHTS))
            row.append(value * pixels[start + 3] / 255 if channels == 4 else value)
        rows.append(row)
    return rows


def means(row):
    """The means of 32 parts of equal length of a row, whose values are each constant over a length of 1."""
    integral = [0.0]
    for value in row:
        integral.append(integral[-1] + value)

    def up_to(place):
        whole = min(int(place), len(row) - 1)
        return integral[whole] + (place - whole) * row[whole]

    length = len(row) / SIDE
    return [(up_to((part + 1) * length) - up_to(part * length)) / length for part in range(SIDE)]


def transposed(rows):
    return [list(column) for column in zip(*rows)]


def cosine_transform(values):
    """The lowest coefficients of the DCT-II, without a factor."""
    return [
        sum(value * math.cos(math.pi * (2 * place + 1) * frequency / (2 * SIDE)) for place, value in enumerate(values))
        for frequency in range(LOW)
    ]


def coefficients(pixels, width, height, channels):
    """The 64 lowest coefficients of a picture, row by row."""
    narrow = [means(row) for row in luma(pixels, width, height, channels)]
    small = transposed([means(column) for column in transposed(narrow)])
    lines = transposed([cosine_transform(row) for row in small])
    return [value for row in transposed([cosine_transform(line) for line in lines]) for value in row]


def main():
    width, height, channels = map(int, sys.argv[1:4])
    for path in sys.argv[4:]:
        with open(path, "rb") as file:
            values = coefficients(file.read(), width, height, channels)
        middle = sorted(values)[len(values) // 2 - 1 : len(values) // 2 + 1]
        above = [value - sum(middle) / 2 for value in values]
        bits = sum((value > 0) << (len(above) - 1 - place) for place, value in enumerate(above))
        print(f"{bits:016x}", *(f"{value:.6f}" for value in above))


if __name__ == "__main__":
    main()
