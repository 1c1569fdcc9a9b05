import type { BodyInput } from '#contract/api/endpoints.ts';
import { api } from '../api.ts';
import { apiMutation, apiQuery } from '../api-query.ts';

export const settingsQuery = apiQuery('get_settings', {}, { staleTime: 60_000 });

export const useUpdateSettings = apiMutation(
  (body: BodyInput<'update_settings'>) => api.call('update_settings', { body }),
  { stale: ['get_settings', 'get_me'] },
);

/** The logo on share pages; null: none. */
export const logoQuery = apiQuery('get_logo', {}, { read: ({ image }) => image, staleTime: 60_000 });

export const useSetLogo = apiMutation((image: string | null) => api.call('set_logo', { body: { image } }), {
  stale: ['get_logo'],
});

export const tagsQuery = apiQuery('list_tags', {}, { read: ({ data }) => data, staleTime: 60_000 });

/** Values of a tag that were used before, the latest first. */
export const tagValuesQuery = (name: string, q: string) =>
  apiQuery(
    'list_tag_values',
    { params: { tag_name: name }, query: { limit: 20, ...(q ? { q } : {}) } },
    // Suggestions are not worth a message.
    { read: ({ data }) => data.map(({ value }) => value), keepPrevious: true, retry: false, staleTime: 30_000 },
  );

export const useSetTag = apiMutation(
  ({ name, ...body }: BodyInput<'set_tag'> & { name: string }) =>
    api.call('set_tag', { params: { tag_name: name }, body }),
  { stale: ['list_tags', 'list_tag_values'] },
);

export const useDeleteTag = apiMutation((name: string) => api.call('delete_tag', { params: { tag_name: name } }), {
  stale: ['list_tags', 'list_tag_values'],
});
