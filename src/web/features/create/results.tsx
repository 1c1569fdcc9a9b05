import { useSelector } from '@tanstack/react-store';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { ListStates } from '#web/api/list-states.tsx';
import { useGenerationList, generationQuery } from '#web/api/queries/generations.ts';
import { usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { useMediaCursor } from '#web/media/library/use-media-cursor.ts';
import { cx } from '#web/ui/cx.ts';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Feed } from './feed.tsx';
import { buildFeed, type FeedEntry, toRuns } from './feed-entries.ts';
import { runStore, type Run, type RunState } from './runs.ts';
import { scrollToResult } from './scroll-to-result.ts';
import { useQuery, useQueries } from '@tanstack/react-query';
import { ArrowLeft, Star, Trash2 } from 'lucide-react';
import { useCan } from '#web/api/queries/permissions.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { Button } from '#web/ui/button.tsx';
import { useCommands } from '#web/ui/commands.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { GenerationRunView } from './generation-run-view.tsx';
import { VariationGroup } from './variations/variation-group.tsx';
import { isModelId, isTaskId } from '#contract/catalog.ts';
import { formatUsd, parseUsd } from '#contract/money.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useModelName } from '#web/api/model-names.ts';
import { Callout } from '#web/ui/callout.tsx';
import { Money } from '#web/api/money.tsx';
import { CancelAllButton } from './cancel-all-button.tsx';
import { useComparison } from './use-comparison.ts';

/**
 * The open result, above everything that the person has made: newest first, over tabs and devices.
 * @param empty shown while there is no result at all
 */
export function Results({ empty }: { empty: ReactNode }) {
  const state = useSelector(runStore);
  const opened = findOpenRuns(state);
  const { ownId, isReady } = usePersonFilter(undefined);
  const filters = useMemo(() => omitUndefined({ person_id: ownId ?? undefined }), [ownId]);
  const list = useGenerationList(filters, isReady);
  const entries = useMemo(() => buildFeed(list.rows, state.runs), [list.rows, state.runs]);
  const cursor = useMediaCursor();
  const origin = useRef<{ id: string; scrollPx: number }>(null);

  const { hasMore, onNearEnd } = list;
  // All that is loaded was deleted.
  const hiddenCount = entries.length === 0 ? list.rows.length : 0;
  useEffect(() => {
    if (hiddenCount > 0) onNearEnd();
  }, [hiddenCount, onNearEnd]);

  const open = (entry: FeedEntry) => {
    if (opened.length === 0) origin.current = { id: entry.id, scrollPx: window.scrollY };
    else if (origin.current) origin.current.id = entry.id;
    openRuns(toRuns(entry));
    scrollToResult({ focus: true });
  };
  const close = () => {
    closeRuns();
    const from = origin.current;
    origin.current = null;
    if (!from) return;
    requestAnimationFrame(() => {
      window.scrollTo({ top: from.scrollPx, behavior: 'instant' });
      cursor.moveTo(from.id);
    });
  };
  return (
    <>
      {opened.length > 0 ? (
        // On narrow screens, the height allows scrolling to the result before the list is loaded.
        <section aria-label="Result" className={cx('mb-8', list.isLoading && 'max-lg:min-h-[calc(100dvh-4rem)]')}>
          <RunsView runs={opened} onClose={close} />
        </section>
      ) : null}
      <ListStates
        list={{ ...list, rows: entries, isLoading: list.isLoading || (hiddenCount > 0 && hasMore) }}
        what="Your earlier results"
        older="Older results"
        loading={
          <Loading label="Loading your results" className="grid grid-cols-2 gap-3 sm:grid-cols-3">
            {Array.from({ length: 6 }, (_, tile) => (
              <Skeleton key={tile} className="mb-13 aspect-square rounded-md" />
            ))}
          </Loading>
        }
        empty={opened.length > 0 ? null : empty}
      >
        <Feed entries={entries} opened={opened} cursor={cursor} hasMore={hasMore} onNearEnd={onNearEnd} onOpen={open} />
      </ListStates>
    </>
  );
}

/** Shows the open run large, or the runs of its group side by side. */
function RunsView({ runs, onClose }: { runs: readonly Run[]; onClose: () => void }) {
  const [first] = runs;
  useCommands([{ group: 'Create', label: 'Close the result', keys: 'escape', hiddenInPalette: true, run: onClose }]);
  if (!first) return null;
  return (
    <>
      <div className="mb-2 -ml-2 flex items-center gap-0.5">
        <Button
          size="sm"
          variant="ghost"
          className="mr-auto"
          icon={<ArrowLeft aria-hidden="true" className="size-4" />}
          onClick={onClose}
        >
          All results
        </Button>
        {runs.length === 1 && first.generation_id !== null ? <FileButtons generation_id={first.generation_id} /> : null}
      </div>
      {runs.length === 1 ? (
        <GenerationRunView key={first.id} run={first} />
      ) : first.together ? (
        <VariationGroup key={first.group} runs={runs} />
      ) : (
        <SideBySideRuns runs={runs} />
      )}
    </>
  );
}

/** Star and delete the files of the open generation. */
function FileButtons({ generation_id }: { generation_id: string }) {
  const { data } = useQuery(generationQuery(generation_id));
  const canChange = useCan('work.create');
  const star = useToggleStar();
  const moveToTrash = useMoveToTrash();
  const assets = data?.output.assets.filter(({ removed_at }) => !removed_at) ?? [];
  const [asset] = assets;
  if (!asset || !canChange) return null;
  const { id, favourite = false } = asset;
  return (
    <>
      {assets.length === 1 ? (
        <IconButton
          size="sm"
          label={favourite ? 'Remove star' : 'Star'}
          icon={<Star aria-hidden="true" className={favourite ? 'size-4 fill-amber text-amber-text' : 'size-4'} />}
          onClick={() => void star({ id, favourite })}
        />
      ) : null}
      <IconButton
        size="sm"
        label="Delete"
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={() =>
          void moveToTrash(
            assets.map((each) => each.id),
            closeRuns,
          )
        }
      />
    </>
  );
}

/** The open run with the others of its group; empty if none is open. */
function findOpenRuns({ runs, viewed, openId }: RunState): readonly Run[] {
  const all = [...runs, ...viewed];
  const open = all.find(({ id }) => id === openId);
  if (!open) return [];
  return open.group === undefined ? [open] : all.filter(({ group }) => group === open.group);
}

/** Opens runs of this tab, or those of other generations. Several share a group. */
function openRuns(opened: readonly Run[]): void {
  runStore.set(({ runs }) => ({
    runs,
    viewed: opened.filter(({ id }) => !runs.some((run) => run.id === id)),
    openId: opened[0]?.id ?? null,
  }));
}

const closeRuns = (): void => openRuns([]);

function SideBySideRuns({ runs }: { runs: readonly Run[] }) {
  const nameModel = useModelName();
  const names = useCatalogNames();
  const comparison = useComparison();
  const runName = ({ order: { body } }: Run): string => {
    if (body.model && isModelId(body.model)) return nameModel(body.model);
    return isTaskId(body.task) ? names.task(body.task) : body.task;
  };
  const ids = runs.flatMap(({ generation_id }) => generation_id ?? []);
  const generations = useQueries({
    queries: ids.map((id) => ({ ...generationQuery(id), notifyOnChangeProps: ['data' as const] })),
  });
  // Those that are being sent have no id to cancel yet.
  const areSent = runs.every(({ generation_id, problem }) => generation_id !== null || problem !== null);
  const prompt = runs[0]?.order.body.input['prompt'];
  // Four results fit a window of 900 pixels.
  const maxHeight = runs.length > 2 ? 'max(9rem, (100dvh - 27rem) / 2)' : '56dvh';
  const failedRuns = runs.filter(({ problem }) => problem !== null);
  const total = generations.reduce(
    (sum, { data }) => sum + (data && data.usage.billing_status !== 'released' ? parseUsd(data.usage.amount_usd) : 0n),
    0n,
  );
  return (
    <section aria-label="Side by side" className="flex min-w-0 flex-col gap-4">
      <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
        <span className="font-semibold text-ink">
          {generations.length === runs.length
            ? `${runs.length} results`
            : `${generations.length} of ${runs.length} started`}
        </span>
        <Money amount_usd={formatUsd(total)} />
        <span className="ml-auto">
          {areSent ? (
            <CancelAllButton
              generations={ids.map((id, at) => ({ id, status: generations[at]?.data?.status ?? 'queued' }))}
            />
          ) : null}
        </span>
      </div>
      {typeof prompt === 'string' ? (
        <p dir="auto" className="-mt-3 line-clamp-2 text-sm wrap-anywhere text-ink-2">
          {prompt}
        </p>
      ) : null}
      {failedRuns.length > 0 ? (
        <Callout tone="bad" title={`${failedRuns.length} not started`}>
          <ul>
            {failedRuns.map((run) => (
              <li key={run.id}>
                {runName(run)}: {run.problem?.message}
              </li>
            ))}
          </ul>
        </Callout>
      ) : null}
      <ul className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        {runs.map((run) => (
          <li key={run.id} aria-label={runName(run)} className="min-w-0">
            {run.problem ? <h2 className="mb-3 font-semibold">{runName(run)}</h2> : null}
            <GenerationRunView run={run} maxHeight={maxHeight} comparison={comparison} />
          </li>
        ))}
      </ul>
    </section>
  );
}
