// The places of canvases that show their pictures largest.

/**
 * Places regions on a surface, in the shape that lets their pictures, shown whole, be largest.
 *
 * Returns the places in whole pixels, and the area of all pictures. `shapes` has the width of each picture divided by its
 * height; `gap` is what each place has less in width and height for its picture.
 */
export function placed(regions, shapes, surface, gap) {
  const fitted = regions.map((region, index) => fit(region, shapes[index], surface, gap));
  const boards = [...fitted, surface].map((board) => ({ board, area: pictures(regions, shapes, board, gap) }));
  const most = Math.max(...boards.map(({ area }) => area));
  // Among boards that show as much, the smallest has the least around its pictures.
  const { board, area } = boards.filter(({ area }) => area >= most * 0.999)
    .reduce((one, other) => (size(other.board) < size(one.board) ? other : one));
  const [left, top] = [(surface.width - board.width) / 2, (surface.height - board.height) / 2];
  const places = regions.map(({ x, y, width, height }) => {
    const edges = [[left, x, width, board.width], [top, y, height, board.height]]
      .map(([start, from, length, all]) => [Math.round(start + from * all), Math.round(start + (from + length) * all)]);
    const [[west, east], [north, south]] = edges;
    return { left: west, top: north, width: east - west, height: south - north };
  });
  return { places, area };
}

/** Returns the grids that have room for regions which fill a grid in board order; none for others. */
export function gridsFor(regions) {
  const count = regions.length;
  const columns = regions.findIndex(({ y }) => y > 1e-6);
  const isGrid = columns > 0 && regions.every((region, index) => isClose(region, cell(index, columns, count)));
  if (!isGrid && !(columns < 0 && regions.every((region, index) => isClose(region, cell(index, count, count))))) return [];
  return regions.map((_, index) => index + 1).filter((columns) => count > columns * (Math.ceil(count / columns) - 1))
    .map((columns) => regions.map((_, index) => cell(index, columns, count)));
}

/** Returns the shape of the cells of a grid that is scrolled: that of most pictures. */
export function gridShape(shapes) {
  return shapes.toSorted((one, other) => one - other)[Math.floor(shapes.length / 2)] ?? 16 / 9;
}

function cell(index, columns, count) {
  const rows = Math.ceil(count / columns);
  return { x: index % columns / columns, y: Math.floor(index / columns) / rows, width: 1 / columns, height: 1 / rows };
}

function isClose(one, other) {
  return ["x", "y", "width", "height"].every((name) => Math.abs(one[name] - other[name]) < 1e-6);
}

/** Returns the largest board on a surface whose region has room for a picture of a shape and nothing else. */
function fit({ width, height }, shape, surface, gap) {
  const wanted = ((width * surface.width - gap) / shape + gap) / height;
  if (wanted <= surface.height) return { width: surface.width, height: wanted };
  return { width: ((height * surface.height - gap) * shape + gap) / width, height: surface.height };
}

function pictures(regions, shapes, board, gap) {
  return regions.reduce((sum, { width, height }, index) => {
    const [across, down] = [width * board.width - gap, height * board.height - gap];
    const used = Math.min(across, down * shapes[index]);
    return sum + used * used / shapes[index];
  }, 0);
}

const size = ({ width, height }) => width * height;
