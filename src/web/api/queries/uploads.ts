import type { QueryClient } from '@tanstack/react-query';
import type { ListedUpload } from '#contract/resources/upload.ts';
import { apiQuery, type EndpointFilters } from '../api-query.ts';
import { type LiveList, removeRows } from '../live-list.ts';
import { useLiveList } from '../use-live-list.ts';
import { awaitsDerivatives } from './media.ts';
import { UPLOAD_LISTS } from './stale-endpoints.ts';

export type UploadFilters = EndpointFilters<'list_uploads'>;

const PAGE_SIZE = 100;
const POLL_MS = 2_500;

/**
 * Uploads that match, newest first.
 * @param isReady false: the filters are not known yet
 */
export const useUploadList = (filters: UploadFilters, isReady?: boolean) =>
  useLiveList({
    name: 'list_uploads',
    request: { query: { ...filters, limit: PAGE_SIZE } },
    isReady,
    read: (page) => page,
    poll: (rows) => (awaitsDerivatives(rows) ? POLL_MS : false),
  });

export const uploadQuery = (id: string) =>
  // A generation may have used it a moment ago.
  apiQuery('get_upload', { params: { upload_id: id } }, { staleTime: 0 });

export function cachedUpload(client: QueryClient, id: string): ListedUpload | undefined {
  for (const [, list] of client.getQueriesData<LiveList<ListedUpload>>({ queryKey: UPLOAD_LISTS })) {
    const row = list?.rows.find((each) => each.id === id);
    if (row) return row;
  }
  return undefined;
}

export function removeCachedUploads(client: QueryClient, ids: ReadonlySet<string>): void {
  client.setQueriesData<LiveList<ListedUpload>>({ queryKey: UPLOAD_LISTS }, (list) => list && removeRows(list, ids));
  for (const id of ids) client.removeQueries({ queryKey: uploadQuery(id).queryKey });
}
