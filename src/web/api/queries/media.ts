import { type Query, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { List } from '#contract/primitives.ts';
import type { MediaDetail, MediaItem } from '#contract/resources/media.ts';
import { api } from '../api.ts';
import { apiKey, apiQuery, type EndpointFilters, invalidate } from '../api-query.ts';
import { type LiveList, removeRows, updateRows } from '../live-list.ts';
import {
  cacheServiceOrigin,
  cacheMediaInfo,
  type ReferenceInfo,
  serviceMediaId,
  useReferenceInfo,
} from '../reference-info.ts';
import { useLiveList } from '../use-live-list.ts';
import { MEDIA_LISTS } from './stale-endpoints.ts';
import { useEffect } from 'react';
import { useSession } from '../session/session.ts';

export type MediaFilters = EndpointFilters<'list_media'>;

const PAGE_SIZE = 100;
/** `coming` applies while a new item has no derivatives yet. */
const POLL_MS = { coming: 2_500, quiet: 30_000 };
const DERIVATIVES_WAIT_MS = 60_000;
const MAX_RESULTS = 6;

/** Whether one of the newest items is so new that its thumbnails and previews are still being created. */
export const awaitsDerivatives = (items: readonly Pick<MediaItem, 'derivatives' | 'created_at'>[]): boolean =>
  items
    .slice(0, PAGE_SIZE)
    .some(
      ({ derivatives, created_at }) =>
        derivatives === null && Date.now() - Date.parse(created_at) < DERIVATIVES_WAIT_MS,
    );

function cacheOrigin(page: List<MediaItem>): List<MediaItem> {
  if (page.data[0]) cacheServiceOrigin(page.data[0].url);
  return page;
}

/**
 * Uploads and assets that match, newest first.
 * @param isReady false: the filters are not known yet
 */
export const useMediaList = (filters: MediaFilters, isReady?: boolean) =>
  useLiveList({
    name: 'list_media',
    request: { query: { ...filters, limit: PAGE_SIZE } },
    isReady,
    read: cacheOrigin,
    poll: (rows) => (awaitsDerivatives(rows) ? POLL_MS.coming : POLL_MS.quiet),
  });

/** The newest media whose prompt or file name matches. */
export const mediaSearchQuery = (q: string) =>
  apiQuery(
    'list_media',
    { query: { q, limit: MAX_RESULTS } },
    // The next letter searches again.
    { read: (page) => cacheOrigin(page).data, keepPrevious: true, retry: false, staleTime: 10_000 },
  );

/** One item with its whole prompt and the number of its uses. */
export const mediaQuery = (id: string) =>
  apiQuery(
    'get_media',
    { params: { media_id: id } },
    {
      read: (item) => {
        cacheServiceOrigin(item.url);
        return item;
      },
    },
  );

export const chosenMediaQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['get_media', { ids }, 'chosen'],
    queryFn: ({ signal }) => Promise.all(ids.map((id) => api.call('get_media', { params: { media_id: id }, signal }))),
  });

export const lineageQuery = (id: string) => apiQuery('get_media_lineage', { params: { media_id: id } });

/** Labels that contain a text, in alphabetical order. */
export const labelsQuery = (q: string) =>
  apiQuery(
    'list_media_labels',
    { query: { limit: 20, ...(q ? { q } : {}) } },
    // Suggestions are not worth a message.
    { read: ({ data }) => data.map(({ label }) => label), keepPrevious: true, retry: false, staleTime: 30_000 },
  );

/** Changes cached items, in lists and alone. */
export function updateCachedMedia(
  client: QueryClient,
  ids: ReadonlySet<string>,
  update: <M extends MediaItem>(item: M) => M,
): void {
  client.setQueriesData<LiveList<MediaItem>>(
    { queryKey: MEDIA_LISTS },
    (list) => list && updateRows(list, ids, update),
  );
  for (const id of ids) client.setQueryData<MediaDetail>(mediaQuery(id).queryKey, (known) => known && update(known));
}

export function removeCachedMedia(client: QueryClient, ids: ReadonlySet<string>): void {
  client.setQueriesData<LiveList<MediaItem>>({ queryKey: MEDIA_LISTS }, (list) => list && removeRows(list, ids));
  for (const id of ids) client.removeQueries({ queryKey: mediaQuery(id).queryKey });
  void invalidate(client, 'get_media_lineage');
}

/** Removes items from the cached lists of a collection. */
export function removeCachedItems(client: QueryClient, collectionId: string, ids: ReadonlySet<string>): void {
  client.setQueriesData<LiveList<MediaItem>>(
    { queryKey: apiKey('list_media', { query: { collection_id: collectionId } }, 'live') },
    (list) => list && removeRows(list, ids),
  );
}

/** Whether a query lists items of the trash. */
export const isOfTrash = ({ queryKey: [name, request] }: Pick<Query, 'queryKey'>): boolean =>
  name === 'list_media' && (request as { query?: MediaFilters }).query?.in_trash !== undefined;

/** Name and measures of a reference. Loads them where this tab has not seen the service's medium yet. */
export function useReferenceDetails(url: string): ReferenceInfo | undefined {
  const info = useReferenceInfo(url);
  const signedIn = useSession() === 'signed_in';
  const id = info ? null : serviceMediaId(url);
  const { data } = useQuery({ ...mediaQuery(id ?? ''), enabled: signedIn && id !== null });
  useEffect(() => {
    // The reference keeps its own link, whose signature can differ.
    if (data && id !== null) cacheMediaInfo({ ...data, url });
  }, [data, id, url]);
  return info;
}
