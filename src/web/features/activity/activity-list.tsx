import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Square, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Activity } from '#contract/resources/activity.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { cancelQueuedMutation } from '#web/api/queries/activity.ts';
import { useCancelGeneration } from '#web/api/queries/generations.ts';
import { useCancelRun } from '#web/api/queries/workflow-runs.ts';
import { workTitle } from '#web/forms/inputs/describe-input.ts';
import { GenerationThumbnail } from '#web/media/outputs/generation-thumbnail.tsx';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Progress } from '#web/ui/display/progress.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { describeActiveGeneration } from './activity-labels.ts';

interface ActivityListProps {
  activity: Activity;
  close: () => void;
}

const showError = toastError('Could not cancel');

export function ActivityList({ activity, close }: ActivityListProps) {
  const { running, queued, generations, workflow_runs } = activity;
  const names = useCatalogNames();
  const cancel = useCancelGeneration();
  const cancelRun = useCancelRun();
  const others = running + queued - generations.length - workflow_runs.length;
  const waiting = queued - workflow_runs.filter(({ status }) => status === 'queued').length;
  return (
    <>
      <h2 className="px-4 pt-3 pb-1 text-sm font-semibold">Activity</h2>
      {running + queued === 0 ? <p className="px-4 pb-3 text-sm text-ink-2">Nothing is running or waiting.</p> : null}
      <ul className="max-h-[min(24rem,50dvh)] overflow-y-auto px-1">
        {workflow_runs.map(({ id, starter_name, status, progress }) => (
          <ActiveRow
            key={id}
            thumbnail={<Workflow aria-hidden="true" className="size-5 stroke-[1.5]" />}
            title={
              <Link to="/workflows/runs/$id" params={{ id }} onClick={close} className={titleClass}>
                {starter_name}
              </Link>
            }
            state={status === 'queued' ? 'Workflow · waiting' : `Workflow · ${formatPercent(progress)}`}
            progress={status === 'running' ? progress : undefined}
            cancelLabel={`Cancel ${starter_name}`}
            isCanceling={cancelRun.isPending && cancelRun.variables.id === id}
            onCancel={() => cancelRun.mutate({ id, reason: null }, { onError: showError })}
          />
        ))}
        {generations.map((active) => {
          const { generation } = active;
          const summary = workTitle(generation, names);
          return (
            <ActiveRow
              key={generation.id}
              thumbnail={<GenerationThumbnail generation={generation} className="size-full" />}
              title={
                <Link
                  to="/generations/$id"
                  params={{ id: generation.id }}
                  onClick={close}
                  dir="auto"
                  className={titleClass}
                >
                  {summary}
                </Link>
              }
              state={`${names.modelOrTask(generation)} · ${describeActiveGeneration(active)}`}
              progress={generation.status === 'running' ? generation.progress : undefined}
              cancelLabel={`Cancel “${summary.slice(0, 60)}”`}
              isCanceling={cancel.isPending && cancel.variables === generation.id}
              onCancel={() => cancel.mutate(generation.id, { onError: showError })}
            />
          );
        })}
      </ul>
      {others > 0 ? <p className="px-4 py-1.5 text-xs text-ink-3 tabular-nums">and {others} more</p> : null}
      <div className="mt-1 flex items-center gap-2 border-t border-line p-2">
        {waiting > 0 ? <CancelWaiting count={waiting} /> : null}
        <Link to="/generations" onClick={close} className={`ml-auto ${buttonClass({ variant: 'ghost', size: 'sm' })}`}>
          All generations
        </Link>
      </div>
    </>
  );
}

const titleClass =
  'block truncate text-sm font-medium outline-none after:absolute after:inset-0 after:rounded-sm focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus';

const formatPercent = (progress: number | null) => (progress === null ? 'running' : `${Math.floor(progress * 100)}%`);

interface ActiveRowProps {
  thumbnail: ReactNode;
  title: ReactNode;
  state: string;
  /** 0 to 1, null while unknown; undefined: it waits. */
  progress: number | null | undefined;
  cancelLabel: string;
  isCanceling: boolean;
  onCancel: () => void;
}

function ActiveRow({ thumbnail, title, state, progress, cancelLabel, isCanceling, onCancel }: ActiveRowProps) {
  return (
    <li className="relative flex items-center gap-3 rounded-sm px-3 py-2 hover:bg-hover">
      <span className="flex size-10 flex-none items-center justify-center overflow-hidden rounded-sm bg-hover text-ink-3">
        {thumbnail}
      </span>
      <span className="min-w-0 flex-1">
        {title}
        <span className="block truncate text-xs text-ink-3 tabular-nums">{state}</span>
        {progress === undefined ? null : <Progress value={progress} label="Progress" className="mt-1 w-full" />}
      </span>
      <span className="relative z-1">
        <IconButton
          size="sm"
          label={cancelLabel}
          data-tooltip="Cancel"
          busy={isCanceling}
          icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
          onClick={onCancel}
        />
      </span>
    </li>
  );
}

function CancelWaiting({ count }: { count: number }) {
  const cancel = useMutation(cancelQueuedMutation);
  const run = () =>
    cancel.mutate(undefined, {
      onError: showError,
      onSuccess: (canceled) =>
        showToast({
          title: canceled === 0 ? 'Nothing was waiting anymore' : `${canceled} canceled`,
          ...(canceled === 0 ? {} : { detail: 'The reserved money was released.', tone: 'good' as const }),
        }),
    });
  return (
    <Button size="sm" busy={cancel.isPending} onClick={run}>
      Cancel all waiting ({count})
    </Button>
  );
}
