export interface GraphStep {
  key: string;
  needs: readonly string[];
}

/** The layer counts from the left; `y` is in node heights from the top. */
export interface StepGraphNode {
  key: string;
  layer: number;
  y: number;
}

/** An edge with a point in every layer that it crosses. */
interface StepGraphEdge {
  from: string;
  to: string;
  points: readonly { layer: number; y: number }[];
}

export interface StepGraphLayout {
  steps: StepGraphNode[];
  edges: StepGraphEdge[];
  layers: number;
  height: number;
}

/** Minimum distance of centers in a layer; edges need less space than steps. */
const CELL_SPACING = { step: 1.35, line: 0.6 };
const SWEEPS = 8;

interface Cell {
  id: string;
  line: boolean;
  before: Cell[];
  after: Cell[];
  y: number;
}

/** Assigns each step the layer after the steps it needs; unknown steps and cycles are ignored. */
function assignLayers(steps: readonly GraphStep[]): Map<string, number> {
  const byKey = new Map(steps.map((step) => [step.key, step]));
  const layers = new Map<string, number>();
  const visit = (step: GraphStep, path: ReadonlySet<string>): number => {
    const known = layers.get(step.key);
    if (known !== undefined) return known;
    const inside = new Set(path).add(step.key);
    const before = step.needs.flatMap((key) => {
      const needed = byKey.get(key);
      return needed && !inside.has(key) ? [visit(needed, inside)] : [];
    });
    const layer = before.length > 0 ? Math.max(...before) + 1 : 0;
    layers.set(step.key, layer);
    return layer;
  };
  for (const step of steps) visit(step, new Set());
  return layers;
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
const yPositions = (cells: readonly Cell[]) => cells.map(({ y }) => y);
const spacingBetween = (a: Cell, b: Cell) =>
  a.line && b.line
    ? CELL_SPACING.line
    : a.line || b.line
      ? (CELL_SPACING.step + CELL_SPACING.line) / 2
      : CELL_SPACING.step;

/** Moves cells as close as possible to their wanted positions, without reordering or overlap. */
function positionCells(cells: readonly Cell[], positions: readonly number[]): void {
  /** Touching neighbors move as one block; `at` is the position of its first cell. */
  const blocks: { cells: Cell[]; offsets: number[]; wants: number[]; at: number }[] = [];
  cells.forEach((cell, index) => {
    blocks.push({ cells: [cell], offsets: [0], wants: [positions[index] ?? 0], at: positions[index] ?? 0 });
    for (;;) {
      const [upper, lower] = [blocks.at(-2), blocks.at(-1)];
      const [last, first] = [upper?.cells.at(-1), lower?.cells[0]];
      if (!upper || !lower || !last || !first) break;
      const gap = spacingBetween(last, first);
      const end = upper.at + (upper.offsets.at(-1) ?? 0);
      if (lower.at >= end + gap) break;
      const shift = (upper.offsets.at(-1) ?? 0) + gap;
      upper.cells.push(...lower.cells);
      upper.offsets.push(...lower.offsets.map((offset) => offset + shift));
      upper.wants.push(...lower.wants.map((want) => want - shift));
      upper.at = mean(upper.wants);
      blocks.pop();
    }
  });
  for (const block of blocks)
    block.cells.forEach((cell, index) => {
      cell.y = block.at + (block.offsets[index] ?? 0);
    });
}

function sweepLayers(columns: Cell[][], side: 'before' | 'after'): void {
  for (const column of columns) {
    const targets = new Map(
      column.map((cell) => [cell, cell[side].length > 0 ? mean(yPositions(cell[side])) : cell.y]),
    );
    const targetOf = (cell: Cell) => targets.get(cell) ?? cell.y;
    // The sort is stable, so ties keep the order of the definition.
    column.sort((a, b) => targetOf(a) - targetOf(b));
    positionCells(column, column.map(targetOf));
  }
}

/** Each step is in the layer after the steps it needs, with few crossings. Equal input gives equal output. */
export function layoutStepGraph(steps: readonly GraphStep[]): StepGraphLayout {
  const layers = assignLayers(steps);
  const cells = new Map<string, Cell>();
  const columns: Cell[][] = Array.from(
    { length: Math.max(0, ...layers.values()) + (steps.length > 0 ? 1 : 0) },
    () => [],
  );
  const add = (id: string, layer: number, line: boolean): Cell => {
    const column = columns[layer] ?? [];
    const cell: Cell = { id, line, before: [], after: [], y: column.length * CELL_SPACING.step };
    cells.set(id, cell);
    column.push(cell);
    return cell;
  };
  for (const { key } of steps) add(key, layers.get(key) ?? 0, false);

  const routes = steps.flatMap(({ key, needs }) =>
    [...new Set(needs)].flatMap((needed) => {
      const [from, to] = [layers.get(needed), layers.get(key) ?? 0];
      if (from === undefined || from >= to) return [];
      const between = Array.from({ length: to - from - 1 }, (_, at) =>
        add(`${needed} > ${key} ${at}`, from + at + 1, true),
      );
      const route = [cells.get(needed), ...between, cells.get(key)].filter((cell) => cell !== undefined);
      route.slice(1).forEach((cell, at) => {
        const before = route[at];
        if (!before) return;
        cell.before.push(before);
        before.after.push(cell);
      });
      return [{ from: needed, to: key, start: from, route }];
    }),
  );
  for (let round = 0; round < SWEEPS; round += 1) {
    sweepLayers(columns, 'before');
    sweepLayers(columns.toReversed(), 'after');
  }
  sweepLayers(columns, 'before');

  const all = [...cells.values()];
  const least = all.length > 0 ? Math.min(...yPositions(all)) : 0.5;
  for (const cell of all) cell.y += 0.5 - least;
  return {
    steps: steps.map(({ key }) => ({ key, layer: layers.get(key) ?? 0, y: cells.get(key)?.y ?? 0.5 })),
    edges: routes.map(({ from, to, start, route }) => ({
      from,
      to,
      points: route.map(({ y }, at) => ({ layer: start + at, y })),
    })),
    layers: columns.length,
    height: all.length > 0 ? Math.max(...yPositions(all)) + 0.5 : 0,
  };
}

/** SVG path from the right side of a box to the left side of another, horizontal where it crosses a layer. */
export function edgePath(points: readonly { x: number; y: number }[], width_px: number): string {
  return points
    .map(({ x, y }, at) => {
      const before = points[at - 1];
      if (!before) return `M${x + width_px} ${y}`;
      const start = before.x + width_px;
      const middle = (start + x) / 2;
      const through = at < points.length - 1 ? ` H${x + width_px}` : '';
      return `C${middle} ${before.y} ${middle} ${y} ${x} ${y}${through}`;
    })
    .join(' ');
}
