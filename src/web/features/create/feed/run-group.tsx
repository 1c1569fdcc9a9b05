import { useQueries } from '@tanstack/react-query';
import { Square } from 'lucide-react';
import { isTaskId } from '#contract/catalog.ts';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { isActive } from '#contract/statuses.ts';
import { isModelId } from '#web/api/known-models.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { ZoomSiblings } from '#web/media/outputs/image-zoom.tsx';
import { useModelName } from '#web/api/model-names.ts';
import { Money } from '#web/api/money.tsx';
import { useCancelTogether } from '#web/api/queries/batches.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { isPreviewResult } from '#web/forms/models/engine-labels.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { GenerationRunView } from '#web/features/create/runs/generation-run-view.tsx';
import { PreviewBadge } from '#web/features/create/preview-badge.tsx';
import { filesOf } from '#web/features/create/runs/result-controls.tsx';
import { RequestedRun } from '#web/features/create/runs/requested-run.tsx';
import { RunProblemView } from '#web/features/create/runs/run-problem-view.tsx';
import type { Run } from '#web/features/create/runs/runs.ts';

/** Variations of one order, which started together or not at all, or the same order on several models. */
export function RunGroup({ runs }: { runs: readonly Run[] }) {
  const [first] = runs;
  if (!first) return null;
  const { together, problem, request_id, generation_id } = first;
  if (together && problem) return <RunProblemView run={first} problem={problem} group={runs} />;
  if (together && request_id !== undefined && generation_id === null)
    return <RequestedRun run={first} request_id={request_id} group={runs} />;
  return <RunGrid runs={runs} together={together ?? false} />;
}

function RunGrid({ runs, together }: { runs: readonly Run[]; together: boolean }) {
  const nameRun = useRunName();
  const canChange = useCan('work.create');
  const generations = useQueries({
    queries: runs.map(({ generation_id }) => ({
      ...generationQuery(generation_id ?? ''),
      enabled: generation_id !== null,
      notifyOnChangeProps: ['data' as const],
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  const discarded = new Set(generations.filter(isDiscarded).map(({ id }) => id));
  const shown = runs.flatMap((run, at) =>
    run.generation_id !== null && discarded.has(run.generation_id) ? [] : [{ run, number: at + 1 }],
  );
  const moveToTrash = useMoveToTrash();
  const isComplete = generations.length === runs.length && !generations.some(({ status }) => isActive(status));
  const keepOnly = (kept: Run) => {
    const others = filesOf(generations.filter(({ id }) => id !== kept.generation_id));
    const files = filesOf(generations.filter(({ id }) => id === kept.generation_id));
    if (!canChange || !isComplete || files.length === 0 || others.length === 0) return undefined;
    return () =>
      void moveToTrash(
        others.map(({ id }) => id),
        () => undefined,
      );
  };
  const images = shown.flatMap(({ run, number }) => {
    const generation = generations.find(({ id }) => id === run.generation_id);
    const label = together ? `Variation ${number}` : nameRun(run);
    return generation
      ? filesOf([generation]).flatMap((file) => (file.type === 'image' ? [{ ...file, label }] : []))
      : [];
  });
  // Four results fit a window of 900 pixels.
  const maxHeight = runs.length > 2 ? 'max(9rem, (100dvh - 25rem) / 2)' : '56dvh';
  return (
    <section
      aria-label={together ? `${shown.length} variations` : 'Side by side'}
      className="flex min-w-0 flex-col gap-4"
    >
      <GroupHeader
        runs={shown.map(({ run }) => run)}
        generations={generations.filter(({ id }) => !discarded.has(id))}
        title={together ? nameRun(runs[0]) : 'Side by side'}
      />
      {shown.length === 0 ? <p className="text-sm text-ink-2">All results are in the trash.</p> : null}
      <ZoomSiblings value={images}>
        <ul
          className={cx(
            'grid gap-x-3 gap-y-4 sm:grid-cols-2 sm:gap-x-5',
            together && 'grid-cols-2',
            runs.length > 4 && 'xl:grid-cols-4 xl:gap-x-3',
          )}
        >
          {shown.map(({ run, number }) => (
            <li key={run.id} aria-label={together ? `Variation ${number}` : nameRun(run)} className="min-w-0">
              <GenerationRunView
                run={run}
                maxHeight={maxHeight}
                name={together ? `variation ${number}` : nameRun(run)}
                isVariation={together}
                onKeepOnly={keepOnly(run)}
              />
            </li>
          ))}
        </ul>
      </ZoomSiblings>
    </section>
  );
}

const isDiscarded = ({ status, output }: Generation): boolean =>
  status === 'succeeded' && output.assets.length > 0 && output.assets.every(({ removed_at }) => removed_at);

const formatResultCount = (count: number): string => (count === 1 ? '1 result' : `${count} results`);

function useRunName(): (run: Run | undefined) => string {
  const nameModel = useModelName();
  const names = useCatalogNames();
  return (run) => {
    const { task = '', model = null } = run?.order.body ?? {};
    if (model && isModelId(model)) return nameModel(model);
    return isTaskId(task) ? names.task(task) : task;
  };
}

interface GroupHeaderProps {
  runs: readonly Run[];
  generations: readonly Generation[];
  title: string;
}

function GroupHeader({ runs, generations, title }: GroupHeaderProps) {
  const prompt = runs[0]?.order.body.input['prompt'];
  const total = generations.reduce(
    (sum, { usage }) => sum + (usage.billing_status === 'released' ? 0n : parseUsd(usage.amount_usd)),
    0n,
  );
  const done =
    generations.filter(({ status }) => !isActive(status)).length + runs.filter(({ problem }) => problem).length;
  const isLoaded = runs.every(({ generation_id: sent }) => sent === null || generations.some(({ id }) => id === sent));
  // Those that are being sent have no id to cancel yet.
  const areSent = runs.every(({ generation_id, problem }) => generation_id !== null || problem !== null);
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 truncate font-semibold">{title}</h2>
        {generations.some(isPreviewResult) ? <PreviewBadge /> : null}
        <span className="text-sm text-ink-3 tabular-nums" aria-live="polite">
          {isLoaded && done < runs.length ? `${done} of ${runs.length} done` : formatResultCount(runs.length)}
        </span>
        <span className="ml-auto flex items-center gap-3 text-sm text-ink-3">
          {isLoaded ? <Money amount_usd={formatUsd(total)} /> : null}
          {isLoaded && areSent ? (
            <CancelAllButton
              batch_id={runs[0]?.batch_id}
              generations={runs.flatMap(({ generation_id: id }) =>
                id === null ? [] : [{ id, status: generations.find((each) => each.id === id)?.status ?? 'queued' }],
              )}
            />
          ) : null}
        </span>
      </div>
      {typeof prompt === 'string' ? (
        <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-ink-2">
          {prompt}
        </p>
      ) : null}
    </header>
  );
}

interface CancelAllButtonProps {
  generations: readonly Pick<Generation, 'id' | 'status'>[];
  /** The batch that all of them belong to. */
  batch_id?: string | undefined;
}

/** Cancels those of several results that are not done; nothing once all are. */
function CancelAllButton({ generations, batch_id }: CancelAllButtonProps) {
  const cancel = useCancelTogether();
  const active = generations.filter(({ status }) => isActive(status));
  if (active.length === 0) return null;
  const showError = (error: Error) => showToast({ title: 'Could not cancel', detail: error.message, tone: 'bad' });
  return (
    <Button
      size="sm"
      busy={cancel.isPending}
      icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
      onClick={() => cancel.mutate({ batchId: batch_id, ids: active.map(({ id }) => id) }, { onError: showError })}
    >
      Cancel all
    </Button>
  );
}
