"""Random scenes that ffmpeg draws, for clips that do not look alike. Used by similar.py."""

RATE = 10  # frames a second
WORDS = ("board canvas clip cover frame key light loud map note open page part plan play record river road second "
         "shape show sound stage still stone story street take tape tree turn view voice wall water window "
         "word").split()


def colour(chance):
    """A random colour."""
    return f"0x{chance.randrange(1 << 24):06x}"


def fractal(chance, width, height):
    """A part of the Mandelbrot set at its edge, which is approached slowly."""
    def steps(point):
        value = 0j
        for number in range(200):
            value = value * value + point
            if abs(value) > 2:
                return number
        return 200
    place = 0j
    while not 15 <= steps(place) < 200:
        place = complex(chance.uniform(-2, 0.5), chance.uniform(-1.2, 1.2))
    scale = 10 ** chance.uniform(-3, -1)
    return (f"mandelbrot=s={width}x{height}:r={RATE}:start_x={place.real}:start_y={place.imag}:start_scale={scale}:"
            f"end_scale={scale * chance.uniform(0.2, 0.6)}:end_pts=60")


def life(chance, width, height):
    """The Game of Life on few cells."""
    cells = chance.choice([8, 6, 5])
    return (f"life=s={width // cells}x{height // cells}:r={RATE}:mold={chance.choice([10, 30, 80])}:"
            f"ratio={chance.uniform(0.15, 0.5):.3f}:random_seed={chance.randrange(1 << 31)}:"
            f"life_color={colour(chance)}:death_color={colour(chance)}:mold_color={colour(chance)},"
            f"scale={width}:{height}:flags=neighbor")


def automaton(chance, width, height):
    """An elementary cellular automaton, which moves up."""
    cells = chance.choice([8, 6, 5])
    rule = chance.choice([18, 22, 26, 30, 45, 54, 60, 73, 75, 82, 86, 89, 90, 101, 102, 105, 110, 122, 126, 129, 135,
                          146, 149, 150, 153, 154, 161, 165, 182, 193, 195])
    return (f"cellauto=s={width // cells}x{height // cells}:r={RATE}:rule={rule}:"
            f"random_seed={chance.randrange(1 << 31)}:random_fill_ratio={chance.uniform(0.3, 0.7):.3f},"
            f"format=rgb24,negate=enable={chance.randrange(2)},scale={width}:{height}:flags=neighbor")


def gradient(chance, width, height):
    """A gradient of several colours that turns."""
    return (f"gradients=s={width}x{height}:r={RATE}:nb_colors={chance.randint(3, 8)}:type={chance.randrange(4)}:"
            f"seed={chance.randrange(1 << 31)}:speed={chance.uniform(0.002, 0.02):.5f}")


def patches(chance, width, height):
    """A random picture of few values, enlarged, that a camera moves across."""
    columns, rows = chance.randint(5, 16), chance.randint(4, 12)
    def noise():
        seed = chance.uniform(1, 1000)
        return f"st(0,sin(X*12.9898+Y*78.233+{seed:.4f})*43758.5453);(ld(0)-floor(ld(0)))*255"
    way = chance.choice([-1, 1]) * chance.uniform(0.3, 1)
    return (f"nullsrc=s={columns}x{rows}:r={RATE},format=rgb24,geq=r='{noise()}':g='{noise()}':b='{noise()}',"
            f"scale={width * 3 // 2 // 2 * 2}:{height}:flags=bicubic,"
            f"crop={width}:{height}:x='(in_w-out_w)*(0.5+{way / 2:.3f}*sin(t/2))':y=0")


def waves(chance, width, height):
    """Some waves that run through each other."""
    def wave():
        parts = [f"sin({chance.uniform(-14, 14):.3f}*X/W+{chance.uniform(-14, 14):.3f}*Y/H+{chance.uniform(0, 6):.3f}"
                 f"+{chance.uniform(-0.1, 0.1):.4f}*N)" for _ in range(4)]
        parts.append(f"cos({chance.uniform(6, 25):.3f}*hypot(X/W-{chance.random():.3f},Y/H-{chance.random():.3f})"
                     f"-{chance.uniform(0, 0.1):.4f}*N)")
        return "128+42*(" + "+".join(parts) + ")"
    return (f"nullsrc=s=64x48:r={RATE},format=rgb24,geq=r='{wave()}':g='{wave()}':b='{wave()}',"
            f"scale={width}:{height}:flags=bicubic")


def boxes(chance, width, height):
    """Boxes on a plain ground; some of them move."""
    graph = f"color={colour(chance)}:s={width}x{height}:r={RATE}"
    for _ in range(chance.randint(5, 12)):
        wide, high = chance.randint(width // 10, width // 2), chance.randint(height // 10, height // 2)
        graph += (f",drawbox={chance.randrange(width - wide)}:{chance.randrange(height - high)}:{wide}:{high}:"
                  f"{colour(chance)}:fill")
    for number in range(chance.randint(1, 3)):
        wide, high = chance.randint(width // 8, width // 3), chance.randint(height // 8, height // 3)
        graph += (f"[on{number}];color={colour(chance)}:s={wide}x{high}:r={RATE}[box{number}];[on{number}][box{number}]"
                  f"overlay=x={chance.randrange(width - wide)}+{chance.uniform(-12, 12):.2f}*t:"
                  f"y={chance.randrange(height - high)}+{chance.uniform(-12, 12):.2f}*t")
    return graph


def page(chance, width, height):
    """A page of text with pictures that scrolls."""
    is_dark = chance.random() < 0.3
    paper, ink = ("0x202428", "0xe0e0e0") if is_dark else ("0xfafafa", "0x202020")
    tall = height * 3 // 2
    graph = f"color={paper}:s={width}x{tall}:r={RATE}"
    columns = chance.randint(1, 3)
    for column in range(columns):
        left, across, top = width * column // columns + 4, width // columns - 8, chance.randint(2, 12)
        while top < tall - 10:
            size = chance.choice([8, 10, 12, 18, 26])
            if chance.random() < 0.25:
                high = chance.randint(14, 60)
                graph += f",drawbox={left}:{top}:{across * chance.randint(4, 10) // 10}:{high}:{colour(chance)}:fill"
                top += high + chance.randint(4, 16)
                continue
            for _ in range(chance.randint(1, 5)):
                text = " ".join(chance.choices(WORDS, k=40))[:max(3, int(across / size * chance.uniform(0.8, 1.7)))]
                graph += f",drawtext=font=DejaVu Sans:text='{text}':x={left}:y={top}:fontsize={size}:fontcolor={ink}"
                top += size + 3
            top += chance.randint(2, 20)
    speed = chance.uniform(0, height / 12)
    return f"{graph},crop={width}:{height}:x=0:y='min(in_h-out_h,{speed:.2f}*t)'"


def mosaic(chance, width, height):
    """Four different scenes in one picture, divided at random places."""
    left, top = (chance.randint(3, 7) * side // 20 * 2 for side in (width, height))
    parts = [(left, top), (width - left, top), (left, height - top), (width - left, height - top)]
    scenes = [chance.choice([life, automaton, gradient, patches, waves])(chance, *size) for size in parts]
    graph = "".join(f"{scene},scale={wide}:{high},setsar=1,format=yuv444p[part{number}];"
                    for number, (scene, (wide, high)) in enumerate(zip(scenes, parts)))
    return f"{graph}[part0][part1]hstack[top];[part2][part3]hstack[bottom];[top][bottom]vstack"


SCENES = [fractal, life, automaton, gradient, patches, waves, boxes, page, mosaic]
