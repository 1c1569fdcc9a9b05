import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { reservationsQuery } from '#web/api/queries/billing.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Money } from '#web/api/money.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { Loading, SkeletonText } from '#web/ui/skeleton.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** Current reservations. Renders nothing if the service does not list them. */
export function Reservations() {
  const names = useCatalogNames();
  const query = useInfiniteQuery(reservationsQuery);
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const problem = queryError(query);
  if (isMissingFeature(problem)) return null;
  const rows = data?.pages.flatMap((page) => page.data);
  return (
    <Card title="Reserved for unfinished work" description="Unused amounts are released when work finishes." flush>
      {rows && rows.length > 0 ? (
        <ul className="text-sm">
          {rows.map(({ generation_id, status, task, model, amount_usd, created_at, created_by }) => (
            <li
              key={generation_id}
              className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 last:border-0 hover:bg-hover"
            >
              <Link
                to="/generations/$id"
                params={{ id: generation_id }}
                className="min-w-0 truncate -outline-offset-2 after:absolute after:inset-0"
              >
                {model ? names.model(model) : names.task(task)}
              </Link>
              <Money amount_usd={amount_usd} className="text-right font-medium" />
              <span className="flex min-w-0 items-center gap-2 text-ink-3">
                <StatusBadge status={status} progress={null} />
                <span className="truncate">{created_by.name}</span>
              </span>
              <RelativeTime at={created_at} className="z-1 text-right text-ink-3" />
            </li>
          ))}
          {hasNextPage ? (
            <li className="px-4 py-2">
              <Button size="sm" variant="ghost" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show more
              </Button>
            </li>
          ) : null}
        </ul>
      ) : rows ? (
        <p className="px-4 py-4 text-ink-2">Nothing is reserved. The full balance is available.</p>
      ) : problem ? (
        <LoadError what="Reservations" error={problem} onRetry={() => void refetch()} />
      ) : (
        <Loading label="Loading reservations" className="px-4 py-4">
          <SkeletonText lines={3} />
        </Loading>
      )}
    </Card>
  );
}
