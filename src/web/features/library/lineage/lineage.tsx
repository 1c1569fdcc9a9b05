import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import { isNotFound } from '#web/api/api-errors.ts';
import { lineageQuery } from '#web/api/queries/media.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Money } from '#web/api/money.tsx';
import { useElementSize, useRootFontSize } from '#web/ui/hooks/use-element-size.ts';
import { LineageGraph } from './lineage-graph.tsx';
import { LineageCard, type LineageNode } from './lineage-card.tsx';

const MIN_GRAPH_WIDTH_REM = 48;

interface LineageProps {
  id: string;
  onOpen: (id: string) => void;
  fallback?: ReactNode;
}

export function Lineage({ id, onOpen, fallback }: LineageProps) {
  const { data, error, refetch } = useQuery(lineageQuery(id));
  const { ref, widthPx } = useElementSize();
  const isWide = widthPx >= MIN_GRAPH_WIDTH_REM * useRootFontSize();
  const View = isWide ? LineageGraph : LineageList;
  if (error && !data)
    return (
      <div className="flex flex-1 items-center justify-center p-6">
        {isNotFound(error) ? (
          <EmptyState title="No lineage found">The file may have been deleted.</EmptyState>
        ) : (
          <LoadError what="The lineage" error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  if (!data) return fallback;
  return (
    <section ref={ref} aria-label="Lineage" className="flex min-h-0 flex-1 flex-col">
      <LineageCosts lineage={data} />
      {widthPx > 0 ? <View lineage={data} onOpen={onOpen} /> : null}
    </section>
  );
}

function LineageCosts({ lineage: { cost, truncated, nodes } }: { lineage: MediaLineage }) {
  const isAlone = nodes.length <= 1;
  return (
    <div className="flex flex-none flex-wrap items-baseline gap-x-6 gap-y-1 border-b border-line bg-canvas px-4 py-2.5 text-sm md:px-8">
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        <LineageCost name="Total cost" amount_usd={cost.total_usd} strong />
        <LineageCost name="Creating this file" amount_usd={cost.made_usd} />
        <LineageCost name="Results" amount_usd={cost.used_usd} />
      </dl>
      <p className="text-ink-3">
        {truncated ? 'Not everything is shown. Open a file at the edge to see more. ' : ''}
        {isAlone ? 'No related files. ' : ''}
      </p>
    </div>
  );
}

function LineageCost({ name, amount_usd, strong = false }: { name: string; amount_usd: string; strong?: boolean }) {
  return (
    <div className="flex gap-2">
      <dt className="text-ink-3">{name}</dt>
      <dd className={strong ? 'font-semibold' : ''}>
        <Money amount_usd={amount_usd} />
      </dd>
    </div>
  );
}

function LineageList({ lineage, onOpen }: { lineage: MediaLineage; onOpen: (id: string) => void }) {
  const side = (sign: number) =>
    lineage.nodes
      .filter(({ distance }) => Math.sign(distance) === sign)
      .sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance));
  const parts = [
    { title: 'This file', nodes: side(0) },
    { title: 'Sources', nodes: side(-1) },
    { title: 'Results', nodes: side(1) },
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
