import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TASKS } from '#contract/catalog.ts';
import type { UsedBy as Uses } from '#contract/resources/media.ts';
import { summarizeInput } from '#web/forms/inputs/describe-input.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const MAX_SHOWN = 5;

export function UploadUsage({ used_by: { count, active_count, generation_ids } }: { used_by: Uses }) {
  if (count === 0) return <p className="text-sm text-ink-3">Not used yet.</p>;
  const shown = generation_ids.slice(0, MAX_SHOWN);
  return (
    <>
      <p className="text-sm text-ink-2">
        {count === 1 ? '1 generation' : `${formatNumber(count)} generations`}
        {active_count > 0 ? `, ${active_count === count ? 'in progress' : `${active_count} in progress`}` : ''}
        {count > shown.length ? '. Newest:' : '.'}
      </p>
      <ul className="mt-2 border-t border-line">
        {shown.map((id) => (
          <UsingGeneration key={id} id={id} />
        ))}
      </ul>
    </>
  );
}

function UsingGeneration({ id }: { id: string }) {
  const { data, isError } = useQuery(generationQuery(id));
  return (
    <li className="flex min-h-9 items-baseline gap-3 border-b border-line py-1.5 text-sm">
      {data || isError ? (
        <Link
          to="/generations/$id"
          params={{ id }}
          dir="auto"
          className="min-w-0 flex-1 truncate underline-offset-2 hover:underline"
        >
          {data ? summarizeInput(data.task, data.model, data.input) : id}
        </Link>
      ) : (
        <Skeleton className="h-4 w-48" />
      )}
      {data ? (
        <span className="flex-none text-xs text-ink-3">
          {TASKS[data.task].name} · <RelativeTime at={data.created_at} />
        </span>
      ) : null}
    </li>
  );
}
