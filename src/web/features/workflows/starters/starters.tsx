import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { startersQuery } from '#web/api/queries/workflow-starters.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { StarterCard } from './starter-card.tsx';
import { Loading, Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';

const starterCardGrid = 'grid gap-4 grid-cols-[repeat(auto-fill,minmax(min(19rem,100%),1fr))]';

const SEARCH_THRESHOLD = 9;

interface StartersProps {
  q: string;
  onSearch: (q: string) => void;
}

export function Starters({ q, onSearch }: StartersProps) {
  const startersResult = useQuery(startersQuery);
  const { data: starters, refetch } = startersResult;
  const problem = queryError(startersResult);
  const { data: me } = useQuery(meQuery);
  const canCreate = useCan('work.create');
  if (!starters) {
    if (problem) return <LoadError what="Workflows" error={problem} onRetry={() => void refetch()} />;
    return <StartersSkeleton />;
  }
  if (starters.length === 0)
    return (
      <EmptyState
        icon={<Workflow aria-hidden="true" />}
        title="No workflows yet"
        actions={
          canCreate ? (
            <Link to="/workflows/new" className={buttonClass({ variant: 'primary' })}>
              New workflow
            </Link>
          ) : null
        }
      >
        A workflow runs several steps from one short form.
        {canCreate ? ' Create one here, or save one from a generation.' : null}
      </EmptyState>
    );
  const query = q.toLowerCase();
  const matches = starters.filter(({ name, description, slug }) =>
    [name, description, slug].some((text) => text.toLowerCase().includes(query)),
  );
  return (
    <>
      {starters.length >= SEARCH_THRESHOLD || q ? (
        <search aria-label="Find a workflow" className="mb-4 block">
          <SearchBox label="Search workflows" value={q} onChange={onSearch} className="max-w-72" />
        </search>
      ) : null}
      {matches.length === 0 ? (
        <NoMatches action="Clear search" onClear={() => onSearch('')}>
          No workflows match this search.
        </NoMatches>
      ) : (
        <ul aria-label="Workflows" className={starterCardGrid}>
          {matches.map((starter) => (
            <li key={starter.slug} className="flex min-w-0">
              <StarterCard starter={starter} key_id={me?.key.id} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function StartersSkeleton() {
  return (
    <Loading label="Loading workflows" className={starterCardGrid}>
      {Array.from({ length: 4 }, (_, at) => (
        <span key={at} className="flex h-92 flex-col overflow-hidden rounded-md border border-line bg-surface">
          <span className="h-28 flex-none border-b border-line bg-sunken" />
          <span className="flex flex-1 flex-col gap-3 p-4">
            <Skeleton className="h-5 w-2/5" />
            <SkeletonText lines={3} />
            <Skeleton className="mt-2 h-5 w-4/5" />
            <Skeleton className="mt-auto h-5 w-24" />
          </span>
        </span>
      ))}
    </Loading>
  );
}
