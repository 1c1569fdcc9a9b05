import { useMemo } from 'react';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { stepEdges } from '../steps/step-graph.tsx';
import { TASK_ICONS } from '../steps/task-icons.ts';
import { cx } from '#web/ui/cx.ts';
import { layoutGraph } from '#web/ui/layout-graph.ts';

const NODE = 34;
const ICON = 18;
const SIZES = { nodeWidth: NODE, nodeHeight: NODE, columnGap: 30, rowGap: 12 };
/** Offset of the second sheet of a repeating step. */
const SHEET = 4;
/** Taller graphs show their middle, because a scaled one would be too small. */
const MOST_HEIGHT = 200;

export function StarterCover({ steps }: { steps: WorkflowStarter['steps'] }) {
  const layout = useMemo(
    () =>
      layoutGraph(
        steps.map(({ key }) => key),
        stepEdges(steps),
        SIZES,
      ),
    [steps],
  );
  const needed = new Set(steps.flatMap(({ needs }) => needs));
  const width = layout.width + SHEET + 2;
  const full_height = layout.height + SHEET + 2;
  const height = Math.min(full_height, MOST_HEIGHT);
  const top = (full_height - height) / 2 - SHEET - 1;
  return (
    <div
      aria-hidden="true"
      className={cx(
        'flex h-28 items-center justify-center border-b border-line bg-sunken px-5',
        height === full_height && 'py-4',
      )}
    >
      <svg
        width={width}
        height={height}
        viewBox={`-1 ${top} ${width} ${height}`}
        fill="none"
        className="max-h-full max-w-full"
      >
        {layout.edges.map(({ from, to, path }) => (
          <path key={`${from} ${to}`} d={path} strokeWidth={1.5} className="stroke-edge" />
        ))}
        {layout.nodes.map(({ id: key, left, top: node_top }) => {
          const step = steps.find((each) => each.key === key);
          if (!step) return null;
          const Icon = TASK_ICONS[step.task];
          const is_result = !needed.has(key);
          const box = {
            width: NODE,
            height: NODE,
            rx: 6,
            className: is_result ? 'fill-amber-soft stroke-amber-text' : 'fill-surface stroke-edge',
          };
          return (
            <g key={key} transform={`translate(${left} ${node_top})`}>
              {step.is_list ? <rect {...box} x={SHEET} y={-SHEET} /> : null}
              <rect {...box} strokeDasharray={step.is_optional ? '3 2.5' : undefined} />
              <Icon
                x={(NODE - ICON) / 2}
                y={(NODE - ICON) / 2}
                size={ICON}
                strokeWidth={1.5}
                className={is_result ? 'text-amber-text' : 'text-ink-2'}
              />
            </g>
          );
        })}
      </svg>
    </div>
  );
}
