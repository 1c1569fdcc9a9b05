import { Link } from '@tanstack/react-router';
import type { TaskId } from '#contract/ids.ts';
import type { WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import { AssetThumbnail } from '#web/media/outputs/asset-thumbnail.tsx';
import { Money } from '#web/ui/money.tsx';
import { StepBadge } from '../steps/step-badge.tsx';
import { TASK_ICONS } from '../steps/task-icons.ts';

type Item = NonNullable<WorkflowRunStep['items']>[number];

export function StepItems({ task, items }: { task: TaskId; items: readonly Item[] }) {
  return (
    <ol aria-label="Items" className="border-t border-line text-sm">
      {items.map((item) => {
        const { index, label, status, progress, generation_id, amount_usd, error, kept, assets = [] } = item;
        const name = label ?? `Item ${index + 1}`;
        return (
          <li key={index} className="relative flex items-center gap-3 border-b border-line py-2 pr-2 hover:bg-hover">
            <AssetThumbnail asset={assets[0]} icon={TASK_ICONS[task]} className="size-12 rounded-sm" />
            <span className="min-w-0 flex-1">
              {generation_id ? (
                <Link
                  to="/generations/$id"
                  params={{ id: generation_id }}
                  className="block truncate font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
                >
                  {name}
                </Link>
              ) : (
                <span className="block truncate font-medium">{name}</span>
              )}
              <span className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-3">
                <StepBadge status={status} progress={progress} />
                {kept ? 'Kept' : null}
                {error ? <span className="min-w-0 wrap-anywhere">{error.message}</span> : null}
              </span>
            </span>
            <Money amount_usd={amount_usd} cents="up" className="text-ink-2" />
          </li>
        );
      })}
    </ol>
  );
}
