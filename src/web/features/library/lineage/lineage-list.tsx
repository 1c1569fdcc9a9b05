import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import { LineageCard } from './lineage-card.tsx';
import type { LineageNode } from './lineage-layout.ts';

/** Lists the lineage where there is no room for a graph, the nearest first. */
export function LineageList({ lineage, onOpen }: { lineage: MediaLineage; onOpen: (id: string) => void }) {
  const side = (sign: number) =>
    lineage.nodes
      .filter(({ distance }) => Math.sign(distance) === sign)
      .sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance));
  const parts = [
    { title: 'This file', nodes: side(0) },
    { title: 'Made from', nodes: side(-1) },
    { title: 'Used to make', nodes: side(1) },
  ].filter(({ nodes }) => nodes.length > 0);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto overscroll-contain px-4 py-4">
      {parts.map(({ title, nodes }) => (
        <section key={title} aria-label={title}>
          <h3 className="mb-2 text-sm font-semibold text-ink-3">{title}</h3>
          <ol className="flex flex-col gap-2">
            {nodes.map((node) => (
              <LineageListItem key={node.id} node={node} current={node.id === lineage.id} onOpen={onOpen} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function LineageListItem({
  node,
  current,
  onOpen,
}: {
  node: LineageNode;
  current: boolean;
  onOpen: (id: string) => void;
}) {
  const steps = Math.max(0, Math.abs(node.distance) - 1);
  return (
    <li className="h-15" style={{ paddingLeft: `${Math.min(steps, 6) * 0.75}rem` }}>
      <LineageCard node={node} current={current} onOpen={onOpen} />
    </li>
  );
}
