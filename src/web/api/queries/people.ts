import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { BodyInput } from '#contract/endpoints.ts';
import type { Invitation, Person } from '#contract/resources/person.ts';
import { api } from '../api.ts';
import { meQuery } from './me.ts';
import { useCan } from './permissions.ts';
import { queryKeys } from './query-keys.ts';

const PAGE_SIZE = 100;

/**
 * People of the organization, newest first. An addition (see `isMissingFeature`).
 * @param status undefined: removed ones too
 */
export const peopleQuery = (status?: 'active' | 'removed') =>
  infiniteQueryOptions({
    queryKey: queryKeys.people.list(status ?? 'all'),
    queryFn: ({ pageParam, signal }) =>
      api.call('list_people', {
        query: { ...(status ? { status } : {}), limit: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

const PEOPLE_STALE_MS = 5 * 60_000;

/** Whether it says something who did what: there are several people, and one sees more than one's own work. */
export function useHasSeveralPeople(): boolean {
  const mayRead = useCan('people.read');
  const { data: me } = useQuery(meQuery);
  const enabled = mayRead && me !== undefined && !me.sees_own_work_only;
  const { data } = useInfiniteQuery({ ...peopleQuery(), enabled, staleTime: PEOPLE_STALE_MS });
  return enabled && (data?.pages[0]?.data.length ?? 0) > 1;
}

/**
 * Everyone of the organization, removed people too, page by page until all are loaded.
 * @param enabled false: nothing is loaded
 */
export function useEveryone(enabled = true): readonly Person[] {
  const mayRead = useCan('people.read');
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    ...peopleQuery(),
    enabled: enabled && mayRead,
    staleTime: PEOPLE_STALE_MS,
  });
  useEffect(() => {
    if (enabled && hasNextPage && !isFetching) void fetchNextPage();
  }, [enabled, hasNextPage, isFetching, fetchNextPage]);
  return useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
}

/** The newest invitations that nobody has accepted yet. */
export const pendingInvitationsQuery = queryOptions({
  queryKey: queryKeys.people.invitations,
  queryFn: async ({ signal }): Promise<Invitation[]> =>
    (await api.call('list_invitations', { query: { status: 'pending', limit: PAGE_SIZE }, signal })).data,
});

/** Invites a person. The response contains the link, so it is not cached. */
export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'create_invitation'>) => api.call('create_invitation', { body }),
    // Not retried: the lost response may belong to a link that nobody has seen.
    retry: false,
    // The dialog stays open until the response arrives: offline that is an error at once, not a pause.
    networkMode: 'always',
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.people.invitations }),
  });
}

export function useRevokeInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invitation_id: string) => api.call('revoke_invitation', { params: { invitation_id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.people.invitations }),
  });
}

export function useUpdatePerson() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: BodyInput<'update_person'> & Pick<Person, 'id'>) =>
      api.call('update_person', { params: { person_id: id }, body }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.people.all }),
        client.invalidateQueries({ queryKey: queryKeys.me }),
      ]),
  });
}

/** Removes a person. Their keys end too. */
export function useRemovePerson() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, confirm_key }: { id: string; confirm_key?: string }) =>
      api.call('remove_person', { params: { person_id: id }, query: confirm_key === undefined ? {} : { confirm_key } }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.people.all }),
        client.invalidateQueries({ queryKey: queryKeys.keys }),
      ]),
  });
}
