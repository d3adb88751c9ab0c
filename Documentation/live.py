#!/usr/bin/env python3
"""Makes live.png, the picture of `clipcanvas board live` in the README, from what tmux shows of it.

    make release && Documentation/live.py

Needs tmux, ffmpeg and the font DejaVu Sans Mono (fonts-dejavu-core). The clips are made by ffmpeg's sources.
"""

import pathlib, re, struct, subprocess, sys, tempfile, time, zlib

TOP = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = sys.argv[1] if len(sys.argv) > 1 else str(TOP / ".build/release/clipcanvas")
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono%s.ttf"
COLUMNS, ROWS, WIDTH, HEIGHT, BASELINE = 96, 22, 9, 18, 14
GROUND, INK = (24, 26, 30), (216, 218, 222)
PALETTE = [(0, 0, 0), (224, 60, 60), (80, 200, 90), (220, 180, 60), (80, 130, 230), (190, 90, 200), (60, 190, 200), INK]
CLIPS = {
    "c1": ("coast.mp4", "gradients=s=640x360:c0=0x08204a:c1=0xf2a65a:c2=0xd95763:c3=0x3a6ea5:n=4:seed=3"),
    "c2": ("fractal.mp4", "mandelbrot=s=640x360:start_scale=0.6:end_scale=0.1"),
    "c4": ("bars.mp4", "smptehdbars=s=640x360"),
    "c5": ("upright.mp4", "testsrc2=s=360x640"),
}


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, **options).stdout


def capture(folder):
    """The screen of a recording on a board, as text with escape sequences."""
    run(PROGRAM, "board", "new", "--grid", "3x2", cwd=folder)
    for canvas, (name, source) in CLIPS.items():
        run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-t", "0.2", "-pix_fmt", "yuv420p", name, cwd=folder)
        run(PROGRAM, "board", "clip", "import", canvas, name, cwd=folder)
    run(PROGRAM, "board", "tap", "c3", cwd=folder)
    tmux = ["tmux", "-S", folder / "socket"]
    size = ["-x", COLUMNS, "-y", ROWS]
    live = ["-c", folder, "-e", "COLORTERM=truecolor", PROGRAM, "board", "live"]
    run(*tmux, "-f", "/dev/null", "new-session", "-d", *size, *live)
    try:
        time.sleep(1)
        run(*tmux, "send-keys", "Down", "Right")
        run(PROGRAM, "board", "record", "start", cwd=folder)
        time.sleep(7.5)
        return run(*tmux, "capture-pane", "-p", "-e", "-N").decode()
    finally:
        run(*tmux, "kill-server")


def colour(numbers):
    """The colour that starts a list of SGR parameters 38 or 48, and what follows it."""
    if numbers[1] == 2:
        return tuple(numbers[2:5]), numbers[5:]
    raise SystemExit("live.py: the palette of 256 colours is not known here")


def cells(text):
    """Characters with ink, ground and weight; attributes carry over from line to line."""
    ink, ground, bold, faint, inverse = INK, GROUND, False, False, False
    for sequence, character in re.findall("\x1b\\[([0-9;]*)m|(.|\n)", text):
        if character:
            shown = tuple((a + 2 * b) // 3 for a, b in zip(ink, ground)) if faint else ink
            yield (character, ground, shown, bold) if inverse else (character, shown, ground, bold)
            continue
        numbers = [int(number or 0) for number in sequence.split(";")]
        while numbers:
            number, *numbers = numbers
            if number == 0:
                ink, ground, bold, faint, inverse = INK, GROUND, False, False, False
            elif number in (1, 2, 7):
                bold, faint, inverse = bold or number == 1, faint or number == 2, inverse or number == 7
            elif number == 38:
                ink, numbers = colour([number] + numbers)
            elif number == 48:
                ground, numbers = colour([number] + numbers)
            elif number in (39, 49):
                ink, ground = (INK, ground) if number == 39 else (ink, GROUND)
            elif 30 <= number <= 37:
                ink = PALETTE[number - 30]


GLYPHS = {}


def glyph(character, bold):
    """How much ink is where, 0 to 255, row after row."""
    if (character, bold) in GLYPHS:
        return GLYPHS[character, bold]
    if "▁" <= character <= "█":
        filled = (ord(character) - 0x2580) * HEIGHT / 8
        mask = bytes(255 if y >= HEIGHT - filled else 0 for y in range(HEIGHT) for _ in range(WIDTH))
    elif "▉" <= character <= "▏":
        filled = (0x2590 - ord(character)) * WIDTH / 8
        mask = bytes(255 if x + 0.5 < filled else 0 for _ in range(HEIGHT) for x in range(WIDTH))
    else:
        with tempfile.NamedTemporaryFile("w") as text:
            text.write(character)
            text.flush()
            draw = f"drawtext=fontfile={FONT % ('-Bold' if bold else '')}:textfile={text.name}:fontsize=15"
            draw += f":fontcolor=white:x=0:y={BASELINE}-ascent"
            source = f"color=black:s={WIDTH}x{HEIGHT},format=rgb24,{draw}"
            command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt"]
            mask = run(*command, "rgb24", "-")[::3]
    GLYPHS[character, bold] = mask
    return mask


def picture(text):
    rows = bytearray(GROUND * (COLUMNS * WIDTH * ROWS * HEIGHT))
    row = column = 0
    for character, ink, ground, bold in cells(text):
        if character == "\n":
            row, column = row + 1, 0
        elif row < ROWS and column < COLUMNS:
            paint(rows, row, column, None if character == " " else glyph(character, bold), ink, ground)
            column += 1
    return rows


def paint(rows, row, column, mask, ink, ground):
    for y in range(HEIGHT):
        start = 3 * ((row * HEIGHT + y) * COLUMNS * WIDTH + column * WIDTH)
        for x in range(WIDTH):
            share = mask[y * WIDTH + x] if mask else 0
            for channel in range(3):
                mixed = ink[channel] * share + ground[channel] * (255 - share)
                rows[start + 3 * x + channel] = mixed // 255


def write(path, rows):
    width, height = COLUMNS * WIDTH, ROWS * HEIGHT
    lines = b"".join(b"\0" + rows[y * width * 3 : (y + 1) * width * 3] for y in range(height))
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    ]
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in chunks:
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


with tempfile.TemporaryDirectory() as folder:
    write(TOP / "Documentation/live.png", picture(capture(pathlib.Path(folder))))
