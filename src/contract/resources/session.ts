import * as z from 'zod/mini';
import { id, timestamp } from '../primitives.ts';

/** How a session began: with a link, a passkey, the organization's identity provider or an API key. */
export const SIGN_IN_METHODS = ['link', 'passkey', 'oidc', 'key'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** A request that opens a session and sends `Emulsion-Session: cookie` gets its secret in a cookie. */
export const SESSION_HEADER = 'Emulsion-Session';

/** The prefix makes browsers refuse the cookie from any other host or over plain HTTP. */
export const sessionCookieName = (public_url: string): string =>
  public_url.startsWith('https://') ? '__Host-emulsion_session' : 'emulsion_session';

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
  /** `mgs_ses_…`, sent as a bearer credential like a key; null: it is in the cookie of the response. */
  secret: z.nullable(z.string()),
  created_at: timestamp(),
  /** Each use extends it to 30 days from then. */
  expires_at: timestamp(),
});
export type SessionCreated = z.infer<typeof SessionCreated>;

/** A session in the list of open ones. */
export const OpenSession = z.strictObject({
  id: id('ses'),
  object: z.literal('open_session'),
  method: z.enum(SIGN_IN_METHODS),
  /** Of the last use; null: unknown. */
  address: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  /** Whether the request was sent with this session. */
  is_current: z.boolean(),
  created_at: timestamp(),
  last_used_at: timestamp(),
  expires_at: timestamp(),
});
export type OpenSession = z.infer<typeof OpenSession>;
