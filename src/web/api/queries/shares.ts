import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BodyInput } from '#contract/endpoints.ts';
import type { Share } from '#contract/resources/share.ts';
import { api } from '../api.ts';
import { cacheServiceOrigin } from '../reference-info.ts';
import { useCan } from './permissions.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';
import { settingsQuery } from './settings.ts';
import { useLiveList } from './use-live-list.ts';

const PAGE_SIZE = 50;
/** Views are counted meanwhile. */
const POLL_MS = 60_000;

/** Whether the caller may create share pages: the role and the settings of the organization allow it. */
export function useCanShare(): boolean {
  const canCreate = useCan('work.create');
  const { data } = useQuery({ ...settingsQuery, enabled: canCreate });
  return canCreate && data?.sharing_enabled === true;
}

/** Share pages, newest first. @param filters pass the same object while the filters are the same */
export function useShareList(filters: EndpointFilters<'list_shares'>) {
  const listKey = useMemo(() => queryKeys.shares.list(filters), [filters]);
  const headKey = useMemo(() => queryKeys.shares.head(filters), [filters]);
  return useLiveList<Share>({
    listKey,
    headKey,
    loadPage: async (cursor, signal) => {
      const query = { ...filters, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) };
      const page = await api.call('list_shares', { query, signal });
      const cover = page.data.find((share) => share.cover)?.cover;
      if (cover) cacheServiceOrigin(cover.url);
      return page;
    },
    poll_ms: () => POLL_MS,
  });
}

export function useCreateShare() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'create_share'>) => api.call('create_share', { body }),
    onSettled: () => client.resetQueries({ queryKey: queryKeys.shares.all }),
    // The response holds the link.
    gcTime: 0,
  });
}

export function useUpdateShare() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: BodyInput<'update_share'> & { id: string }) =>
      api.call('update_share', { params: { share_id: id }, body }),
    onSettled: () => client.resetQueries({ queryKey: queryKeys.shares.all }),
    gcTime: 0,
  });
}

export function useRevokeShare() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call('revoke_share', { params: { share_id: id } }),
    onSettled: () => client.resetQueries({ queryKey: queryKeys.shares.all }),
  });
}
