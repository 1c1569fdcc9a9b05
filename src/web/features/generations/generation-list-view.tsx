import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef } from 'react';
import { useGenerationList } from '#web/queries/generation-list.ts';
import { LoadError } from '#web/shell/load-error.tsx';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { cx } from '#web/ui/cx.ts';
import { Loading } from '#web/ui/skeleton.tsx';
import { GenerationGallery } from './generation-gallery.tsx';
import { NothingMatches, NothingYet } from './generation-list-states.tsx';
import { GenerationTable } from './generation-table.tsx';
import { GenerationsToolbar } from './generations-toolbar.tsx';
import { GenerationGallerySkeleton, GenerationTableSkeleton } from './list-skeletons.tsx';
import { type GenerationSearch, isFiltered, toFilters, withoutFilters } from './search.ts';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { useGenerationActions } from './use-generation-actions.ts';
import { useListCursor } from './use-list-cursor.ts';
import { useListKeys } from './use-list-keys.ts';

/** The list with its filters, for whoever is signed in. */
export function GenerationListView({ search, openId }: { search: GenerationSearch; openId: string | undefined }) {
  const filters = useMemo(() => toFilters(search), [search]);
  const list = useGenerationList(filters);
  const { rows, hasMore, loadMore } = list;
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const actions = useGenerationActions();
  const cursor = useListCursor(ids, openId);
  const searchBox = useRef<HTMLInputElement>(null);
  const { ref: toolbar, height_px: covered_px } = useElementSize();
  const navigate = useNavigate();
  const change = useCallback(
    (next: GenerationSearch) => void navigate({ to: '.', search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  useListKeys({ rows, cursor, openId, actions, searchBox });

  const onNearEnd = useCallback(() => {
    if (hasMore && !list.moreFailed) loadMore();
  }, [hasMore, loadMore, list.moreFailed]);
  const View = search.view === 'gallery' ? GenerationGallery : GenerationTable;
  const clear = () => change(withoutFilters(search));
  return (
    <>
      <div ref={toolbar} className="sticky top-13 z-10 -mx-4 bg-canvas px-4 py-3 md:top-0 md:-mx-8 md:px-8">
        <GenerationsToolbar
          search={search}
          onChange={(part) => change(withoutEmpty({ ...search, ...part }))}
          searchRef={searchBox}
        />
      </div>
      {list.problem && rows.length > 0 ? (
        <Callout tone="amber" title="This list may be out of date" action={<RetryButton onPress={list.reload} />}>
          {list.problem instanceof Error ? list.problem.message : null}
        </Callout>
      ) : null}
      {list.isLoading ? (
        <Loading label="Loading generations">
          {search.view === 'gallery' ? <GenerationGallerySkeleton tiles={12} /> : <GenerationTableSkeleton rows={10} />}
        </Loading>
      ) : rows.length > 0 ? (
        <div className={cx('transition-opacity', list.isStale && 'opacity-50')}>
          <View
            generations={rows}
            ids={ids}
            openId={openId}
            cursor={cursor.cursor}
            reveal={cursor.reveal}
            onFocus={cursor.onFocus}
            actions={actions}
            hasMore={hasMore && !list.moreFailed}
            onNearEnd={onNearEnd}
            covered_px={covered_px}
          />
          {list.moreFailed ? <LoadError what="Older generations" error={list.problem} onRetry={loadMore} /> : null}
        </div>
      ) : list.problem ? (
        <LoadError what="Your generations" error={list.problem} onRetry={list.reload} />
      ) : isFiltered(search) ? (
        <NothingMatches onClear={clear} />
      ) : (
        <NothingYet />
      )}
    </>
  );
}

function RetryButton({ onPress }: { onPress: () => void }) {
  return (
    <Button size="sm" onClick={onPress}>
      Try again
    </Button>
  );
}

const withoutEmpty = (search: GenerationSearch): GenerationSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
