import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { BodyInput } from '#contract/api/endpoints.ts';
import { api } from '../api.ts';
import { apiMutation, apiQuery, type EndpointFilters } from '../api-query.ts';
import { cacheServiceOrigin } from '../reference-info.ts';
import { useLiveList } from '../use-live-list.ts';
import { useCan } from './permissions.ts';
import { settingsQuery } from './settings.ts';

const PAGE_SIZE = 50;
/** Views are counted meanwhile. */
const POLL_MS = 60_000;

/** Whether the caller may create share pages: the role and the settings of the organization allow it. */
export function useCanShare(): boolean {
  const canCreate = useCan('work.create');
  const { data } = useQuery({ ...settingsQuery, enabled: canCreate });
  return canCreate && data?.sharing_enabled === true;
}

/** Share pages, newest first. */
export const useShareList = (filters: EndpointFilters<'list_shares'>) =>
  useLiveList({
    name: 'list_shares',
    request: { query: { ...filters, limit: PAGE_SIZE } },
    read: (page) => {
      const cover = page.data.find((share) => share.cover)?.cover;
      if (cover) cacheServiceOrigin(cover.url);
      return page;
    },
    poll: () => POLL_MS,
  });

/** The newest share pages that are open. */
export const openSharesQuery = apiQuery(
  'list_shares',
  { query: { state: 'open', limit: 100 } },
  { read: ({ data }) => data, retry: false },
);

/** What clients answered last on one’s own pages. */
export const newestAnswersQuery = apiQuery(
  'list_share_answers',
  { query: { limit: 20 } },
  { read: ({ data }) => data, poll: POLL_MS, retry: false },
);

const resetShares = (client: QueryClient) => client.resetQueries({ queryKey: ['list_shares'] });

/** Creates a share page. The response holds the link. */
export const useCreateShare = apiMutation((body: BodyInput<'create_share'>) => api.call('create_share', { body }), {
  onSettled: (_share, _error, _body, _result, { client }) => resetShares(client),
  gcTime: 0,
});

export const useUpdateShare = apiMutation(
  ({ id, ...body }: BodyInput<'update_share'> & { id: string }) =>
    api.call('update_share', { params: { share_id: id }, body }),
  { onSettled: (_share, _error, _body, _result, { client }) => resetShares(client), gcTime: 0 },
);

export const useRevokeShare = apiMutation((id: string) => api.call('revoke_share', { params: { share_id: id } }), {
  onSettled: (_data, _error, _id, _result, { client }) => resetShares(client),
});
