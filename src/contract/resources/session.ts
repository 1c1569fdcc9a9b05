import * as z from 'zod/mini';
import { timestamp } from '../primitives.ts';

/** How a session began: with a link, a passkey, the organization's identity provider or an API key. */
export const SIGN_IN_METHODS = ['link', 'passkey', 'oidc', 'key'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

export const SignInRequest = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(255)) });

/** The only response that contains the token. */
export const SignInTokenCreated = z.strictObject({
  object: z.literal('sign_in_token'),
  /** `mgs_lnk_…`; the link is `{dashboard}/sign-in#token={token}`. */
  token: z.string(),
  expires_at: timestamp(),
});

/**
 * A session replaces a key in a browser: it has the rights of its key and ends with it. This is the only response that
 * contains the secret.
 */
export const SessionCreated = z.strictObject({
  object: z.literal('session'),
  /** `mgs_ses_…`, sent as a bearer credential like a key. */
  secret: z.string(),
  created_at: timestamp(),
  /** Each use extends it to 30 days from then. */
  expires_at: timestamp(),
});
export type SessionCreated = z.infer<typeof SessionCreated>;
