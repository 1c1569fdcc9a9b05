import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { workTitle } from './describe-input.ts';

/** Links to generations by what went into them. Each one loads on its own, so pass a few. */
export function GenerationLinks({ ids, after }: { ids: readonly string[]; after?: ReactNode }) {
  return (
    <ul className="mt-2 border-t border-line">
      {ids.map((id) => (
        <GenerationLink key={id} id={id} />
      ))}
      {after ? <li className="py-1.5 text-sm text-ink-3">{after}</li> : null}
    </ul>
  );
}

function GenerationLink({ id }: { id: string }) {
  const names = useCatalogNames();
  const { data, isError } = useQuery(generationQuery(id));
  const summary = data && workTitle(data, names);
  const task = data && names.task(data.task);
  return (
    <li className="flex min-h-9 items-baseline gap-3 border-b border-line py-1.5 text-sm">
      {data || isError ? (
        <Link
          to="/generations/$id"
          params={{ id }}
          dir="auto"
          className="min-w-0 flex-1 truncate underline-offset-2 hover:underline"
        >
          {summary ?? id}
        </Link>
      ) : (
        <Skeleton className="h-4 w-48" />
      )}
      {data ? (
        <span className="flex-none text-xs text-ink-3">
          {task && !summary?.startsWith(task) ? `${task} · ` : null}
          <RelativeTime at={data.created_at} />
        </span>
      ) : null}
    </li>
  );
}
