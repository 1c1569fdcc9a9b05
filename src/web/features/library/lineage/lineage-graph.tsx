import { type KeyboardEvent, useMemo, useRef } from 'react';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import { type GraphLayout, layoutGraph, type PlacedNode } from '#web/ui/display/layout-graph.ts';
import { useRootFontSize } from '#web/ui/hooks/use-element-size.ts';
import { LineageCard } from './lineage-card.tsx';

const NODE_SIZE_REM = { width: 14, height: 3.75, columnGap: 3.5, rowGap: 0.75 };

export function LineageGraph({ lineage, onOpen }: { lineage: MediaLineage; onOpen: (id: string) => void }) {
  const remPx = useRootFontSize();
  const box = useRef<HTMLDivElement>(null);
  const shape = useMemo(
    () => ({
      nodeWidth: NODE_SIZE_REM.width * remPx,
      nodeHeight: NODE_SIZE_REM.height * remPx,
      columnGap: NODE_SIZE_REM.columnGap * remPx,
      rowGap: NODE_SIZE_REM.rowGap * remPx,
    }),
    [remPx],
  );
  const layout = useMemo(() => {
    const ids = lineage.nodes.map(({ id }) => id);
    return layoutGraph(ids, lineage.edges, shape);
  }, [lineage, shape]);
  const columns = columnsOf(layout);
  const nodeById = new Map(lineage.nodes.map((node) => [node.id, node]));
  const onKeyDown = (event: KeyboardEvent) => {
    const id = document.activeElement?.getAttribute('data-node');
    const next = id && !event.shiftKey ? findNeighbor(layout, columns, id, event.key) : undefined;
    if (!id || !event.key.startsWith('Arrow')) return;
    // The viewer would step to the next file.
    event.stopPropagation();
    event.preventDefault();
    if (next) box.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`)?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- moves the focus among links, which do the rest
    <div ref={box} className="flex min-h-0 flex-1 overflow-auto p-8" onKeyDown={onKeyDown}>
      <div className="relative m-auto flex-none" style={{ width: layout.width, height: layout.height }}>
        <svg
          aria-hidden="true"
          width={layout.width}
          height={layout.height}
          className="pointer-events-none absolute inset-0 overflow-visible"
        >
          {layout.edges.map(({ from, to, path }) => (
            <path
              key={`${from} ${to}`}
              d={path}
              fill="none"
              strokeWidth={1.5}
              className={from === lineage.id || to === lineage.id ? 'stroke-amber' : 'stroke-line-strong'}
            />
          ))}
        </svg>
        {columns.map((column, at) => (
          <ol key={column[0]?.id ?? at} aria-label={`Step ${at + 1} of ${columns.length}`}>
            {column.map(({ id, left, top }) => {
              const node = nodeById.get(id);
              return node ? (
                <li
                  key={id}
                  ref={id === lineage.id ? scrollToCenter : undefined}
                  className="absolute"
                  style={{ left, top, width: shape.nodeWidth, height: shape.nodeHeight }}
                >
                  <LineageCard node={node} current={id === lineage.id} onOpen={onOpen} />
                </li>
              ) : null;
            })}
          </ol>
        ))}
      </div>
    </div>
  );
}

const scrollToCenter = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center', inline: 'center' });

type Column = readonly PlacedNode[];

/** Each from top to bottom. */
const columnsOf = ({ nodes }: GraphLayout): readonly Column[] =>
  [...Map.groupBy(nodes, ({ column }) => column)]
    .sort(([one], [other]) => one - other)
    .map(([, column]) => column.toSorted((one, other) => one.top - other.top));

function findNeighbor({ edges }: GraphLayout, columns: readonly Column[], id: string, key: string): string | undefined {
  const column = columns.find((nodes) => nodes.some((node) => node.id === id)) ?? [];
  const at = column.findIndex((node) => node.id === id);
  const moves: Readonly<Record<string, () => string | undefined>> = {
    ArrowUp: () => column[at - 1]?.id,
    ArrowDown: () => column[at + 1]?.id,
    ArrowLeft: () => edges.find(({ to }) => to === id)?.from,
    ArrowRight: () => edges.find(({ from }) => from === id)?.to,
  };
  return moves[key]?.();
}
