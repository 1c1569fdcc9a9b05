import { Link } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { RequestCodeButton } from './request-code/request-code-button.tsx';

interface RequestActionsProps {
  task: TaskId;
  model: ModelId | null;
}

/** Other ways to send the form's request. */
export function RequestActions({ task, model }: RequestActionsProps) {
  const canCreate = useCan('work.create');
  return (
    <>
      <RequestCodeButton task={task} model={model} />
      {canCreate ? (
        <Link
          to="/batches/new"
          search={model === null ? { task } : { task, model }}
          className="flex h-7 items-center rounded-sm px-1.5 whitespace-nowrap text-ink-2 hover:text-ink"
        >
          <Layers aria-hidden="true" className="size-4 md:hidden" />
          <span className="max-md:sr-only">Many at once…</span>
        </Link>
      ) : null}
    </>
  );
}
