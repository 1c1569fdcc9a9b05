import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { Person } from '#contract/resources/person.ts';
import { api } from '../api.ts';
import { apiMutation, apiPages, apiQuery, SEND_ONCE } from '../api-query.ts';
import { meQuery } from './me.ts';
import { useCan } from './permissions.ts';

const PAGE_SIZE = 100;

/**
 * People of the organization, newest first.
 * @param status undefined: removed ones too
 */
export const peopleQuery = (status?: 'active' | 'removed') =>
  apiPages('list_people', { query: { ...(status ? { status } : {}), limit: PAGE_SIZE } });

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
export const pendingInvitationsQuery = apiQuery(
  'list_invitations',
  { query: { status: 'pending', limit: PAGE_SIZE } },
  { read: ({ data }) => data },
);

/** Invites a person. The response contains the link. */
export const useInvite = apiMutation(
  (body: BodyInput<'create_invitation'>) => api.call('create_invitation', { body }),
  { ...SEND_ONCE, stale: ['list_invitations'] },
);

export const useRevokeInvitation = apiMutation(
  (id: string) => api.call('revoke_invitation', { params: { invitation_id: id } }),
  { stale: ['list_invitations'] },
);

export const useUpdatePerson = apiMutation(
  ({ id, ...body }: BodyInput<'update_person'> & Pick<Person, 'id'>) =>
    api.call('update_person', { params: { person_id: id }, body }),
  { stale: ['list_people', 'list_invitations', 'get_me'] },
);

/** Removes a person. Their keys end too. */
export const useRemovePerson = apiMutation(
  ({ id, confirmKey }: { id: string; confirmKey?: string }) =>
    api.call('remove_person', {
      params: { person_id: id },
      query: confirmKey === undefined ? {} : { confirm_key: confirmKey },
    }),
  { stale: ['list_people', 'list_invitations', 'list_api_keys'] },
);
