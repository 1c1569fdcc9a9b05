import { useSelector } from '@tanstack/react-store';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { ListStates } from '#web/api/list-states.tsx';
import { listedGenerationQuery, useGenerationList } from '#web/api/queries/generations.ts';
import { usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { useMediaCursor } from '#web/media/library/use-media-cursor.ts';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Feed } from '#web/features/create/feed/feed.tsx';
import { buildFeed, type FeedEntry } from '#web/features/create/feed/feed-entries.ts';
import { closeResults, openResults, orderStore } from './pending-orders.ts';
import { scrollToResult } from './scroll-to-result.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { ArrowLeft, Columns2 } from 'lucide-react';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { ResultView } from './result-view.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { cancelComparison, useComparison } from '#web/features/create/comparison.ts';
import type { CreateSearch } from '#web/features/create/create-search.ts';
import { FirstSteps } from '#web/features/create/first-steps.tsx';
import { ResultControls } from './result-controls.tsx';
import { ResultGroup } from './result-group.tsx';

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
  const { orders, openIds } = useSelector(orderStore);
  const { ownId, isReady } = usePersonFilter(undefined);
  const filters = useMemo(() => omitUndefined({ person_id: ownId ?? undefined }), [ownId]);
  const list = useGenerationList(filters, isReady, true);
  const entries = useMemo(() => buildFeed(list.rows, orders), [list.rows, orders]);
  const cursor = useMediaCursor();
  const origin = useRef<{ id: string; scrollPx: number }>(null);

  const { hasMore, onNearEnd } = list;
  // All that is loaded was deleted.
  const hiddenCount = entries.length === 0 ? list.rows.length : 0;
  useEffect(() => {
    if (hiddenCount > 0) onNearEnd();
  }, [hiddenCount, onNearEnd]);

  const open = (entry: FeedEntry) => {
    if (openIds.length === 0) origin.current = { id: entry.id, scrollPx: window.scrollY };
    else if (origin.current) origin.current.id = entry.id;
    openResults(entry.items.map(({ id }) => id));
    scrollToResult({ focus: true });
  };
  const close = () => {
    closeResults();
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
      {openIds.length > 0 ? null : firstSteps}
      {openIds.length > 0 ? (
        <section aria-label="Result" className="mb-8">
          <OpenResults ids={openIds} isUnreachable={list.isUnreachable} onClose={close} />
        </section>
      ) : null}
      {/* A result comes first. */}
      {openIds.length > 0 ? firstSteps : null}
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
        empty={openIds.length > 0 ? null : empty}
      >
        <Feed
          entries={entries}
          openIds={openIds}
          cursor={cursor}
          hasMore={hasMore}
          onNearEnd={onNearEnd}
          onOpen={open}
        />
      </ListStates>
      <PickSecondNotice />
      <OpenComparison />
    </>
  );
}

interface OpenResultsProps {
  ids: readonly string[];
  isUnreachable: boolean;
  onClose: () => void;
}

/** Shows one result large, or several side by side. */
function OpenResults({ ids, isUnreachable, onClose }: OpenResultsProps) {
  const [first] = ids;
  useCommands([{ group: 'Create', label: 'Close the result', keys: 'escape', hiddenInPalette: true, run: onClose }]);
  if (first === undefined) return null;
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
        {ids.length === 1 ? <OpenResultControls id={first} /> : null}
      </div>
      {ids.length === 1 ? (
        <ResultView key={first} id={first} isUnreachable={isUnreachable} />
      ) : (
        <ResultGroup ids={ids} isUnreachable={isUnreachable} />
      )}
    </>
  );
}

function OpenResultControls({ id }: { id: string }) {
  const client = useQueryClient();
  const isPending = useSelector(orderStore, ({ orders }) => orders.some((order) => order.id === id));
  const { data } = useQuery({ ...listedGenerationQuery(client, id), enabled: !isPending });
  const canChange = useCan('work.create');
  return data && canChange && data.output.assets.some(({ removed_at }) => !removed_at) ? (
    <ResultControls generations={[data]} isBelowActions onDiscarded={closeResults} />
  ) : null;
}

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
