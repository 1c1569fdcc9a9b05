import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { isModelId, isTaskId } from '#contract/catalog.ts';
import { isActive } from '#contract/generation-status.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { type Run, selectRun } from './runs.ts';
import { ReferenceThumbnail } from '#web/forms/fields/reference-thumbnail.tsx';
import { mediaDragProps } from '#web/media/media-drag.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { useModelName } from '#web/api/model-names.ts';
import { cx } from '#web/ui/cx.ts';
import { Spinner } from '#web/ui/progress.tsx';
import { statuses } from '#web/ui/status-badge.tsx';

export function RunStrip({ runs, openRun }: { runs: readonly Run[]; openRun: Run }) {
  return (
    <nav aria-label="Results of this tab" className="mt-5 border-t border-line pt-4">
      <ul className="flex gap-2 overflow-x-auto p-0.5">
        {runs.toReversed().map((run, index) => (
          <li key={run.id} className="flex-none">
            <RunThumbnail run={run} number={runs.length - index} is_open={run.id === openRun.id} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function RunThumbnail({ run, number, is_open }: { run: Run; number: number; is_open: boolean }) {
  const { data } = useQuery({ ...generationQuery(run.generation_id ?? ''), enabled: run.generation_id !== null });
  const asset = data?.output.assets[0];
  const { task, model } = run.order.body;
  const nameModel = useModelName();
  const names = useCatalogNames();
  const name = model && isModelId(model) ? nameModel(model) : isTaskId(task) ? names.task(task) : task;
  const state = run.problem ? 'Not started' : data ? statuses[data.status].label : 'Sending';
  const busy = !run.problem && (!data || isActive(data.status));
  return (
    <button
      type="button"
      {...(asset ? mediaDragProps(asset) : {})}
      aria-current={is_open ? 'true' : undefined}
      aria-label={`Result ${number}, ${name}: ${state}`}
      data-tooltip={`${name} · ${state}`}
      onClick={() => selectRun(run.id)}
      className={cx(
        'flex size-16 items-center justify-center overflow-hidden rounded-md border bg-sunken text-ink-3 transition-colors',
        is_open ? 'border-amber outline-2 -outline-offset-1 outline-amber' : 'border-line hover:border-line-strong',
      )}
    >
      {asset ? (
        <ReferenceThumbnail url={asset.url} media={asset.type} className="size-full" />
      ) : busy ? (
        <Spinner className="size-4" />
      ) : data && data.status !== 'failed' ? (
        <span className="[&>svg]:size-4.5">{statuses[data.status].icon}</span>
      ) : (
        <CircleAlert aria-hidden="true" className="size-4.5 text-bad" />
      )}
    </button>
  );
}
