import { useSelector } from '@tanstack/react-store';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { ListStates } from '#web/api/list-states.tsx';
import { useGenerationList, generationQuery } from '#web/api/queries/generations.ts';
import { usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { useMediaCursor } from '#web/media/library/use-media-cursor.ts';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Feed } from '#web/features/create/feed/feed.tsx';
import { buildFeed, type FeedEntry, toRuns } from '#web/features/create/feed/feed-entries.ts';
import { runStore, type Run, type RunState } from './runs.ts';
import { scrollToResult } from './scroll-to-result.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { ArrowLeft, Columns2 } from 'lucide-react';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { GenerationRunView } from './generation-run-view.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { cancelComparison, useComparison } from '#web/features/create/comparison.ts';
import type { CreateSearch } from '#web/features/create/create-search.ts';
import { FirstSteps } from '#web/features/create/first-steps.tsx';
import { ResultControls } from './result-controls.tsx';
import { RunGroup } from '#web/features/create/feed/run-group.tsx';

const CompareDialog = lazyComponent(async () => (await import('#web/media/compare/compare-dialog.tsx')).CompareDialog);
const route = getRouteApi('/create/{-$task}/{-$model}');

interface ResultsProps {
  /** Shown while there is no result at all. */
  empty: ReactNode;
  /** Whether no model is run by a provider. */
  previewsOnly: boolean;
}

/** The open result, above everything that the person has made: newest first, over tabs and devices. */
export function Results({ empty, previewsOnly }: ResultsProps) {
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
  const firstSteps = list.isLoading ? null : <FirstSteps previewsOnly={previewsOnly} hasResults={entries.length > 0} />;
  return (
    <>
      {opened.length > 0 ? null : firstSteps}
      {opened.length > 0 ? (
        <section aria-label="Result" className="mb-8">
          <RunsView runs={opened} onClose={close} />
        </section>
      ) : null}
      {/* A result comes first. */}
      {opened.length > 0 ? firstSteps : null}
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
      <PickSecondNotice />
      <OpenComparison />
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
        {runs.length === 1 && first.generation_id !== null ? (
          <OpenResultControls generation_id={first.generation_id} />
        ) : null}
      </div>
      {runs.length === 1 ? (
        <GenerationRunView key={first.id} run={first} />
      ) : (
        <RunGroup key={first.group} runs={runs} />
      )}
    </>
  );
}

function OpenResultControls({ generation_id }: { generation_id: string }) {
  const { data } = useQuery(generationQuery(generation_id));
  const canChange = useCan('work.create');
  return data && canChange && data.output.assets.some(({ removed_at }) => !removed_at) ? (
    <ResultControls generations={[data]} isBelowActions onDiscarded={closeRuns} />
  ) : null;
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

/** Over Create, so that closing returns to it. */
function OpenComparison() {
  const { compare } = route.useSearch();
  const router = useRouter();
  const navigate = useNavigate();
  const closesBack = useRouterState({ select: ({ location }) => location.state.closesBack === true });
  const [one, other] = compare?.split(',') ?? [];
  if (!one || !other) return null;
  const replace = (search: CreateSearch) =>
    void navigate({
      to: '/create/{-$task}/{-$model}',
      params: (current) => current,
      search,
      replace: true,
      state: true,
      resetScroll: false,
    });
  return (
    <CompareDialog
      ids={[one, other]}
      onSwap={() => replace({ compare: `${other},${one}` })}
      onOpen={(item) => void navigate({ to: '/library', search: { item } })}
      onClose={() => (closesBack ? router.history.back() : replace({}))}
    />
  );
}

function PickSecondNotice() {
  const { isPicking } = useComparison();
  useCommands(
    isPicking
      ? [
          {
            group: 'Create',
            label: 'Cancel the comparison',
            keys: 'escape',
            hiddenInPalette: true,
            run: cancelComparison,
          },
        ]
      : [],
  );
  useEffect(() => cancelComparison, []);
  return (
    <output className="sticky bottom-4 z-10 block max-md:bottom-[calc(4.5rem+env(safe-area-inset-bottom))]">
      {isPicking ? (
        <span className="floating flex items-center gap-3 px-3 py-2 text-sm">
          <Columns2 aria-hidden="true" className="size-4 flex-none text-ink-3" />
          <span className="min-w-0 flex-1">Pick a second result to compare.</span>
          <Button size="sm" onClick={cancelComparison}>
            Cancel
          </Button>
        </span>
      ) : null}
    </output>
  );
}
