import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import { isNotFound } from '#web/api/queries/is-not-found.ts';
import { lineageQuery } from '#web/api/queries/media.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { useRootFontSize } from '#web/ui/use-root-font-size.ts';
import { LineageGraph } from './lineage-graph.tsx';
import { LineageList } from './lineage-list.tsx';

/** Narrower stages show a list. */
const MIN_GRAPH_WIDTH_REM = 48;

export interface LineageProps {
  id: string;
  onOpen: (id: string) => void;
  fallback?: ReactNode;
}

export function Lineage({ id, onOpen, fallback }: LineageProps) {
  const { data, error, refetch } = useQuery(lineageQuery(id));
  const { ref, width_px } = useElementSize();
  const isWide = width_px >= MIN_GRAPH_WIDTH_REM * useRootFontSize();
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
      {width_px > 0 ? <View lineage={data} onOpen={onOpen} /> : null}
    </section>
  );
}

function LineageCosts({ lineage: { cost, truncated, nodes } }: { lineage: MediaLineage }) {
  const isAlone = nodes.length <= 1;
  return (
    <div className="flex flex-none flex-wrap items-baseline gap-x-6 gap-y-1 border-b border-line bg-canvas px-4 py-2.5 text-sm md:px-8">
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        <LineageCost name="Total cost" amount_usd={cost.total_usd} strong />
        <LineageCost name="To make this file" amount_usd={cost.made_usd} />
        <LineageCost name="Made from it" amount_usd={cost.used_usd} />
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
