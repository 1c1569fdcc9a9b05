import { mutationOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { Passkey } from '#contract/resources/passkey.ts';
import type { OpenSession, SignInMethods } from '#contract/resources/session.ts';
import { api } from '../api.ts';
import { isMissingFeature } from '../api-errors.ts';
import { registerPasskey } from '../session/passkeys.ts';
import { queryKeys } from './query-keys.ts';

const KEYS_ONLY: SignInMethods = { object: 'sign_in_methods', mail: false, passkey: false, oidc: null };

/** How people can sign in; services without accounts take keys alone. */
export const signInMethodsQuery = queryOptions({
  queryKey: queryKeys.signInMethods,
  queryFn: ({ signal }): Promise<SignInMethods> =>
    api.call('list_sign_in_methods', { signal }).catch((error: unknown) => {
      if (isMissingFeature(error)) return KEYS_ONLY;
      throw error;
    }),
  staleTime: 5 * 60_000,
});

/** Mails a sign-in link. The service does not say whether anybody has the address. */
export const mailSignInLink = mutationOptions<unknown, Error, BodyInput<'mail_sign_in_link'>>({
  mutationFn: (body) => api.call('mail_sign_in_link', { body }),
  retry: false,
  networkMode: 'always',
});

/** Changes the name and the mail address of the person who is signed in. */
export function useUpdateProfile() {
  const onSettled = useProfileRefresh();
  return useMutation({ mutationFn: (body: BodyInput<'update_me'>) => api.call('update_me', { body }), onSettled });
}

const useProfileRefresh = () => {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: queryKeys.me }),
      client.invalidateQueries({ queryKey: queryKeys.people.all }),
    ]);
};

/** Confirms a new mail address with the token of the mailed link. */
export function useConfirmEmail() {
  const onSettled = useProfileRefresh();
  return useMutation({
    mutationFn: (token: string) => api.call('confirm_email', { body: { token } }),
    retry: false,
    onSettled,
  });
}

export const resendEmailConfirmation = mutationOptions({
  mutationFn: () => api.call('resend_email_confirmation'),
  retry: false,
});

export function useCancelPendingEmail() {
  const onSettled = useProfileRefresh();
  return useMutation({ mutationFn: () => api.call('cancel_pending_email'), onSettled });
}

export const passkeysQuery = queryOptions({
  queryKey: queryKeys.passkeys,
  queryFn: async ({ signal }): Promise<Passkey[]> => (await api.call('list_passkeys', { signal })).data,
});

/** Adds a passkey of this browser or device under a name. */
export function useAddPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => registerPasskey(name),
    retry: false,
    networkMode: 'always',
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.passkeys }),
  });
}

export function useRenamePasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: Pick<Passkey, 'id' | 'name'>) =>
      api.call('update_passkey', { params: { passkey_id: id }, body: { name } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.passkeys }),
  });
}

export function useDeletePasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (passkey_id: string) => api.call('delete_passkey', { params: { passkey_id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.passkeys }),
  });
}

/** Open sessions of the person or key, last used first. */
export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: async ({ signal }): Promise<OpenSession[]> => (await api.call('list_sessions', { signal })).data,
});

/** Ends one session, or all others without an id. */
export function useEndSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (session_id: string | null) => {
      if (session_id === null) await api.call('end_other_sessions');
      else await api.call('end_session', { params: { session_id } });
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
}
