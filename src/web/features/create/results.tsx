import { useSelector } from '@tanstack/react-store';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { ListStates } from '#web/api/list-states.tsx';
import { useGenerationList } from '#web/api/queries/generations.ts';
import { usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { useMediaCursor } from '#web/media/library/use-media-cursor.ts';
import { cx } from '#web/ui/cx.ts';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Feed } from './feed.tsx';
import { buildFeed, type FeedEntry, toRuns } from './feed-entries.ts';
import { closeRuns, findOpenRuns, openRuns } from './open-runs.ts';
import { runStore } from './runs.ts';
import { RunsView } from './runs-view.tsx';
import { scrollToResult } from './scroll-to-result.ts';

/**
 * The open result, above everything that the person has made: newest first, over tabs and devices.
 * @param empty shown while there is no result at all
 */
export function Results({ empty }: { empty: ReactNode }) {
  const state = useSelector(runStore);
  const opened = findOpenRuns(state);
  const { own_id, is_ready } = usePersonFilter(undefined);
  const filters = useMemo(() => omitUndefined({ person_id: own_id ?? undefined }), [own_id]);
  const list = useGenerationList(filters, is_ready);
  const entries = useMemo(() => buildFeed(list.rows, state.runs), [list.rows, state.runs]);
  const cursor = useMediaCursor();
  const origin = useRef<{ id: string; scroll_px: number }>(null);

  const { hasMore, onNearEnd } = list;
  // All that is loaded was deleted.
  const hiddenCount = entries.length === 0 ? list.rows.length : 0;
  useEffect(() => {
    if (hiddenCount > 0) onNearEnd();
  }, [hiddenCount, onNearEnd]);

  const open = (entry: FeedEntry) => {
    if (opened.length === 0) origin.current = { id: entry.id, scroll_px: window.scrollY };
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
      window.scrollTo({ top: from.scroll_px, behavior: 'instant' });
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
