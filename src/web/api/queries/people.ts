import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { Invitation, Person } from '#contract/resources/person.ts';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

const PAGE_SIZE = 100;

/** People of the organization, newest first. An addition (see `isMissingFeature`). */
export const peopleQuery = (status: 'active' | 'removed') =>
  infiniteQueryOptions({
    queryKey: queryKeys.people.list(status),
    queryFn: ({ pageParam, signal }) =>
      api.call('list_people', {
        query: { status, limit: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

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
    mutationFn: (person_id: string) => api.call('remove_person', { params: { person_id } }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.people.all }),
        client.invalidateQueries({ queryKey: queryKeys.keys }),
      ]),
  });
}
