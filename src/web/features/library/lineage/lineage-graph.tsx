import { type KeyboardEvent, useMemo, useRef } from 'react';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import { useRootFontSize } from '#web/ui/use-element-size.ts';
import { LineageCard } from './lineage-card.tsx';
import { layoutLineage, type LineageLayout } from './lineage-layout.ts';

const NODE_SIZE_REM = { width: 14, height: 3.75, columnGap: 3.5, rowGap: 0.75 };

export function LineageGraph({ lineage, onOpen }: { lineage: MediaLineage; onOpen: (id: string) => void }) {
  const rem_px = useRootFontSize();
  const box = useRef<HTMLDivElement>(null);
  const shape = useMemo(
    () => ({
      node_width_px: NODE_SIZE_REM.width * rem_px,
      node_height_px: NODE_SIZE_REM.height * rem_px,
      column_gap_px: NODE_SIZE_REM.columnGap * rem_px,
      row_gap_px: NODE_SIZE_REM.rowGap * rem_px,
    }),
    [rem_px],
  );
  const layout = useMemo(() => layoutLineage(lineage, shape), [lineage, shape]);
  const onKeyDown = (event: KeyboardEvent) => {
    const id = document.activeElement?.getAttribute('data-node');
    const next = id && !event.shiftKey ? findNeighbor(layout, id, event.key) : undefined;
    if (!id || !event.key.startsWith('Arrow')) return;
    // The viewer would step to the next file.
    event.stopPropagation();
    event.preventDefault();
    if (next) box.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`)?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- moves the focus among links, which do the rest
    <div ref={box} className="flex min-h-0 flex-1 overflow-auto p-8" onKeyDown={onKeyDown}>
      <div className="relative m-auto flex-none" style={{ width: layout.width_px, height: layout.height_px }}>
        <svg
          aria-hidden="true"
          width={layout.width_px}
          height={layout.height_px}
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
        {layout.columns.map((column, at) => (
          <ol key={column[0]?.node.id ?? at} aria-label={`Step ${at + 1} of ${layout.columns.length}`}>
            {column.map(({ node, left_px, top_px }) => (
              <li
                key={node.id}
                ref={node.id === lineage.id ? scrollToCenter : undefined}
                className="absolute"
                style={{ left: left_px, top: top_px, width: shape.node_width_px, height: shape.node_height_px }}
              >
                <LineageCard node={node} current={node.id === lineage.id} onOpen={onOpen} />
              </li>
            ))}
          </ol>
        ))}
      </div>
    </div>
  );
}

const scrollToCenter = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center', inline: 'center' });

function findNeighbor({ columns, edges }: LineageLayout, id: string, key: string): string | undefined {
  const column = columns.find((nodes) => nodes.some(({ node }) => node.id === id)) ?? [];
  const at = column.findIndex(({ node }) => node.id === id);
  const moves: Readonly<Record<string, () => string | undefined>> = {
    ArrowUp: () => column[at - 1]?.node.id,
    ArrowDown: () => column[at + 1]?.node.id,
    ArrowLeft: () => edges.find(({ to }) => to === id)?.from,
    ArrowRight: () => edges.find(({ from }) => from === id)?.to,
  };
  return moves[key]?.();
}
