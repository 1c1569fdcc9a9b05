import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { List } from '#contract/primitives.ts';
import type { ListedUpload } from '#contract/resources/upload.ts';
import { api } from '../api.ts';
import { type LiveList, flattenPages } from './live-list.ts';
import { awaitsDerivatives } from './derivatives.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';
import { useLiveList } from './use-live-list.ts';

export type UploadFilters = EndpointFilters<'list_uploads'>;

const PAGE_SIZE = 100;
const POLL_MS = 2_500;

const loadUploadPage = (filters: UploadFilters, cursor: string | null, signal: AbortSignal) =>
  api.call('list_uploads', { query: { ...filters, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) }, signal });

/**
 * Uploads that match, newest first. An addition (see `isMissingFeature`).
 * @param filters pass the same object while the filters are the same
 * @param is_ready false: the filters are not known yet
 */
export function useUploadList(filters: UploadFilters, is_ready?: boolean) {
  const listKey = useMemo(() => queryKeys.uploads.list(filters), [filters]);
  const headKey = useMemo(() => queryKeys.uploads.head(filters), [filters]);
  return useLiveList<ListedUpload>({
    listKey,
    headKey,
    is_ready,
    loadPage: (cursor, signal) => loadUploadPage(filters, cursor, signal),
    poll_ms: (rows) => {
      const now_ms = Date.now();
      return rows.slice(0, PAGE_SIZE).some((row) => awaitsDerivatives(row, now_ms)) ? POLL_MS : false;
    },
  });
}

export const uploadQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.uploads.detail(id),
    queryFn: ({ signal }) => api.call('get_upload', { params: { upload_id: id }, signal }),
    // A generation may have used it a moment ago.
    staleTime: 0,
  });

export function cachedUpload(client: QueryClient, id: string): ListedUpload | undefined {
  for (const [, list] of client.getQueriesData<LiveList<ListedUpload>>({ queryKey: queryKeys.uploads.lists })) {
    const row = list && flattenPages(list.pages).find((each) => each.id === id);
    if (row) return row;
  }
  return undefined;
}

export function removeCachedUploads(client: QueryClient, ids: ReadonlySet<string>): void {
  const without = <P extends List<ListedUpload>>(page: P): P =>
    page.data.some(({ id }) => ids.has(id)) ? { ...page, data: page.data.filter(({ id }) => !ids.has(id)) } : page;
  client.setQueriesData<LiveList<ListedUpload>>(
    { queryKey: queryKeys.uploads.lists },
    (list) => list && { ...list, pages: list.pages.map(without) },
  );
  client.setQueriesData<List<ListedUpload>>({ queryKey: queryKeys.uploads.heads }, (head) => head && without(head));
  for (const id of ids) client.removeQueries({ queryKey: queryKeys.uploads.detail(id) });
}
