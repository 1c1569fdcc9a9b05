import * as z from 'zod/mini';
import { timestamp } from '../primitives.ts';

/** The one-time token of a sign-in link. */
export const SignInRequest = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(255)) });

/** The only response that holds the token. */
export const SignInTokenCreated = z.strictObject({
  object: z.literal('sign_in_token'),
  /** `mgs_lnk_…`; the link is `{dashboard}/sign-in#token={token}`. */
  token: z.string(),
  expires_at: timestamp(),
});

/**
 * What a browser signs in with instead of a key: it acts as the key it belongs to, and ends with it. The only response
 * that holds the secret.
 */
export const SessionCreated = z.strictObject({
  object: z.literal('session'),
  /** `mgs_ses_…`, sent as a bearer credential like a key. */
  secret: z.string(),
  created_at: timestamp(),
  /** Each use moves it to 30 days later. */
  expires_at: timestamp(),
});
export type SessionCreated = z.infer<typeof SessionCreated>;
