import { Link } from '@tanstack/react-router';
import { Rows3 } from 'lucide-react';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { useCan } from '#web/api/queries/permissions.ts';

/** Opens a new batch with the form's task, model and values. */
export function BatchLink({ task, model }: { task: TaskId; model: ModelId | null }) {
  if (!useCan('work.create')) return null;
  return (
    <Link
      to="/batches/new"
      search={model === null ? { task } : { task, model }}
      className="flex h-7 items-center rounded-sm px-1.5 whitespace-nowrap text-ink-2 hover:text-ink"
    >
      <Rows3 aria-hidden="true" className="size-4 md:hidden" />
      <span className="max-md:sr-only">Many at once…</span>
    </Link>
  );
}
