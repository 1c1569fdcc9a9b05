import { type KeyboardEvent, type ReactNode, useMemo } from 'react';
import {
  edgePath,
  type StepGraphLayout,
  type GraphStep,
  layoutStepGraph,
  type StepGraphNode,
} from './step-graph-layout.ts';
import { cx } from '#web/ui/cx.ts';
import { useRootFontSize } from '#web/ui/use-element-size.ts';

const SIZES_REM = {
  normal: { width: 12, height: 3.5, gap: 3.25 },
  compact: { width: 10, height: 3.25, gap: 1.75 },
};

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
  // The layout depends on the shape of the graph, not on the state of its steps.
  // oxlint-disable-next-line react/exhaustive-deps -- see above
  const layout = useMemo(() => layoutStepGraph(steps), [shape]);
  const rem_px = useRootFontSize();
  const node_rem = compact ? SIZES_REM.compact : SIZES_REM.normal;
  const byKey = new Map(steps.map((step) => [step.key, step]));
  const x_px = (layer: number) => layer * (node_rem.width + node_rem.gap) * rem_px;
  const y_px = (y: number) => y * node_rem.height * rem_px;
  const size = {
    width: x_px(layout.layers) - node_rem.gap * rem_px + 2,
    height: y_px(layout.height) + 2,
  };
  const node = { width: node_rem.width * rem_px, height: node_rem.height * rem_px };
  return (
    <div className="overflow-x-auto overscroll-x-contain p-1">
      {/* Arrow keys only move between links and buttons, which Tab reaches as well. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- see above */}
      <div className="relative" style={size} onKeyDown={(event) => moveFocus(event, layout)}>
        <svg aria-hidden="true" width={size.width} height={size.height} className="absolute inset-0">
          {layout.edges.map(({ from, to, points }) => {
            const [source, target] = [byKey.get(from), byKey.get(to)];
            return source && target ? (
              <path
                key={`${from} ${to}`}
                d={edgePath(
                  points.map(({ layer, y }) => ({ x: x_px(layer), y: y_px(y) })),
                  node.width,
                )}
                fill="none"
                strokeWidth={1.5}
                className={lineClass?.(source, target) ?? 'stroke-line-strong'}
              />
            ) : null;
          })}
        </svg>
        <ul aria-label={label}>
          {layout.steps.map(({ key, layer, y }) => {
            const step = byKey.get(key);
            return step ? (
              <li
                key={key}
                data-step={key}
                className="absolute flex"
                style={{ left: x_px(layer), top: y_px(y) - node.height / 2, ...node }}
              >
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

type DistanceFunction = (here: StepGraphNode, there: StepGraphNode) => number | null;
const verticalDistance = (here: StepGraphNode, there: StepGraphNode) => Math.abs(here.y - there.y);

/** Distance to a step in a direction; null if it lies elsewhere. */
const DISTANCE_BY_KEY: Readonly<Record<string, DistanceFunction>> = {
  ArrowRight: (here, there) =>
    there.layer > here.layer ? (there.layer - here.layer) * 100 + verticalDistance(here, there) : null,
  ArrowLeft: (here, there) =>
    there.layer < here.layer ? (here.layer - there.layer) * 100 + verticalDistance(here, there) : null,
  ArrowDown: (here, there) => (there.layer === here.layer && there.y > here.y ? verticalDistance(here, there) : null),
  ArrowUp: (here, there) => (there.layer === here.layer && there.y < here.y ? verticalDistance(here, there) : null),
};

function moveFocus(event: KeyboardEvent<HTMLElement>, { steps }: StepGraphLayout) {
  const measure = DISTANCE_BY_KEY[event.key];
  const item = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-step]') : null;
  const here = steps.find(({ key }) => key === item?.dataset['step']);
  if (!measure || !here) return;
  const [nearest] = steps
    .flatMap((there) => {
      const distance = measure(here, there);
      return distance === null ? [] : [{ key: there.key, distance }];
    })
    .sort((a, b) => a.distance - b.distance);
  if (!nearest) return;
  event.preventDefault();
  const next = event.currentTarget.querySelector<HTMLElement>(
    `[data-step="${CSS.escape(nearest.key)}"] :is(a, button)`,
  );
  next?.focus();
}
