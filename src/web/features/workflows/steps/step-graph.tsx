import { type KeyboardEvent, type ReactNode, useMemo } from 'react';
import { cx } from '#web/ui/cx.ts';
import { layoutGraph, type PlacedNode } from '#web/ui/layout-graph.ts';
import { useRootFontSize } from '#web/ui/use-element-size.ts';

const SIZES_REM = {
  normal: { width: 12, height: 3.5, gap: 3.25 },
  compact: { width: 10, height: 3.25, gap: 1.75 },
};
const ROW_GAP_REM = 1.25;

export interface GraphStep {
  key: string;
  needs: readonly string[];
}

export const stepEdges = (steps: readonly GraphStep[]) =>
  steps.flatMap(({ key, needs }) => needs.map((from) => ({ from, to: key })));

interface StepGraphProps<S extends GraphStep> {
  label: string;
  steps: readonly S[];
  compact?: boolean;
  lineClass?: (from: S, to: S) => string;
  /** Content of a node; focusable if it opens something. */
  children: (step: S) => ReactNode;
}

export function StepGraph<S extends GraphStep>({
  label,
  steps,
  compact = false,
  lineClass,
  children,
}: StepGraphProps<S>) {
  const shape = steps.map(({ key, needs }) => `${key}<${needs.join()}`).join(' ');
  const remPx = useRootFontSize();
  const { width, height, gap } = compact ? SIZES_REM.compact : SIZES_REM.normal;
  const node = { width: width * remPx, height: height * remPx };
  const layout = useMemo(
    () =>
      layoutGraph(
        steps.map(({ key }) => key),
        stepEdges(steps),
        { nodeWidth: node.width, nodeHeight: node.height, columnGap: gap * remPx, rowGap: ROW_GAP_REM * remPx },
      ),
    // The layout depends on the shape of the graph, not on the state of its steps.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
    [shape, node.width, node.height, gap, remPx],
  );
  const byKey = new Map(steps.map((step) => [step.key, step]));
  return (
    <div className="overflow-x-auto overscroll-x-contain p-1">
      {/* Arrow keys only move between links and buttons, which Tab reaches as well. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- see above */}
      <div
        className="relative"
        style={{ width: layout.width, height: layout.height }}
        onKeyDown={(event) => moveFocus(event, layout.nodes)}
      >
        <svg aria-hidden="true" width={layout.width} height={layout.height} className="absolute inset-0">
          {layout.edges.map(({ from, to, path }) => {
            const [source, target] = [byKey.get(from), byKey.get(to)];
            return source && target ? (
              <path
                key={`${from} ${to}`}
                d={path}
                fill="none"
                strokeWidth={1.5}
                className={lineClass?.(source, target) ?? 'stroke-line-strong'}
              />
            ) : null;
          })}
        </svg>
        <ul aria-label={label}>
          {layout.nodes.map(({ id, left, top }) => {
            const step = byKey.get(id);
            return step ? (
              <li key={id} data-step={id} className="absolute flex" style={{ left, top, ...node }}>
                {children(step)}
              </li>
            ) : null;
          })}
        </ul>
      </div>
    </div>
  );
}

export const graphNodeClass = cx(
  'flex w-full min-w-0 items-center gap-2.5 rounded-md border border-line-strong bg-surface px-2.5 text-left text-sm',
);

type DistanceFunction = (here: PlacedNode, there: PlacedNode) => number | null;
const COLUMN_DISTANCE = 10_000;
const verticalDistance = (here: PlacedNode, there: PlacedNode) => Math.abs(here.top - there.top);

/** Distance to a step in a direction; null if it lies elsewhere. */
const DISTANCE_BY_KEY: Readonly<Record<string, DistanceFunction>> = {
  ArrowRight: (here, there) =>
    there.column > here.column ? (there.column - here.column) * COLUMN_DISTANCE + verticalDistance(here, there) : null,
  ArrowLeft: (here, there) =>
    there.column < here.column ? (here.column - there.column) * COLUMN_DISTANCE + verticalDistance(here, there) : null,
  ArrowDown: (here, there) =>
    there.column === here.column && there.top > here.top ? verticalDistance(here, there) : null,
  ArrowUp: (here, there) =>
    there.column === here.column && there.top < here.top ? verticalDistance(here, there) : null,
};

function moveFocus(event: KeyboardEvent<HTMLElement>, nodes: readonly PlacedNode[]) {
  const measure = DISTANCE_BY_KEY[event.key];
  const item = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-step]') : null;
  const here = nodes.find(({ id }) => id === item?.dataset['step']);
  if (!measure || !here) return;
  const [nearest] = nodes
    .flatMap((there) => {
      const distance = measure(here, there);
      return distance === null ? [] : [{ id: there.id, distance }];
    })
    .sort((a, b) => a.distance - b.distance);
  if (!nearest) return;
  event.preventDefault();
  const next = event.currentTarget.querySelector<HTMLElement>(`[data-step="${CSS.escape(nearest.id)}"] :is(a, button)`);
  next?.focus();
}
