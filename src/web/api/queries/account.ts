import { mutationOptions } from '@tanstack/react-query';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { Passkey } from '#contract/resources/passkey.ts';
import { api } from '../api.ts';
import { apiMutation, apiQuery } from '../api-query.ts';
import { registerPasskey } from '../session/passkeys.ts';

/** How people can sign in. */
export const signInMethodsQuery = apiQuery('list_sign_in_methods', {}, { staleTime: 5 * 60_000 });

/** Mails a sign-in link. The service does not say whether anybody has the address. */
export const mailSignInLink = mutationOptions<unknown, Error, BodyInput<'mail_sign_in_link'>>({
  mutationFn: (body) => api.call('mail_sign_in_link', { body }),
  retry: false,
  networkMode: 'always',
});

const PROFILE_READS = ['get_me', 'list_people', 'list_invitations'] as const;

/** Changes the name and the mail address of the person who is signed in. */
export const useUpdateProfile = apiMutation((body: BodyInput<'update_me'>) => api.call('update_me', { body }), {
  stale: PROFILE_READS,
});

/** Confirms a new mail address with the token of the mailed link. */
export const useConfirmEmail = apiMutation((token: string) => api.call('confirm_email', { body: { token } }), {
  retry: false,
  stale: PROFILE_READS,
});

export const resendEmailConfirmation = mutationOptions({
  mutationFn: () => api.call('resend_email_confirmation'),
  retry: false,
});

export const useCancelPendingEmail = apiMutation(() => api.call('cancel_pending_email'), { stale: PROFILE_READS });

export const passkeysQuery = apiQuery('list_passkeys', {}, { read: ({ data }) => data });

/** Adds a passkey of this browser or device under a name. */
export const useAddPasskey = apiMutation((name: string) => registerPasskey(name), {
  retry: false,
  networkMode: 'always',
  stale: ['list_passkeys'],
});

export const useRenamePasskey = apiMutation(
  ({ id, name }: Pick<Passkey, 'id' | 'name'>) =>
    api.call('update_passkey', { params: { passkey_id: id }, body: { name } }),
  { stale: ['list_passkeys'] },
);

export const useDeletePasskey = apiMutation(
  (id: string) => api.call('delete_passkey', { params: { passkey_id: id } }),
  { stale: ['list_passkeys'] },
);

/** Open sessions of the person or key, last used first. */
export const sessionsQuery = apiQuery('list_sessions', {}, { read: ({ data }) => data });

/** Ends one session, or all others without an id. */
export const useEndSessions = apiMutation(
  async (id: string | null) => {
    if (id === null) await api.call('end_other_sessions');
    else await api.call('end_session', { params: { session_id: id } });
  },
  { stale: ['list_sessions'] },
);
