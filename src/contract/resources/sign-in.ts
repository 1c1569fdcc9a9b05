import * as z from 'zod/mini';
import { email } from '../primitives.ts';

export const SignInMethods = z.strictObject({
  object: z.literal('sign_in_methods'),
  /** Whether the service can mail one-time links. */
  mail: z.boolean(),
  /** Whether passkeys work at this address: they require HTTPS or localhost, and a name instead of an IP address. */
  passkey: z.boolean(),
  /** The organization’s identity provider, with the name for its button; null: none. */
  oidc: z.nullable(z.strictObject({ name: z.string() })),
});
export type SignInMethods = z.infer<typeof SignInMethods>;

export const MailedLinkRequest = z.strictObject({ email: email() });

/**
 * Why a sign-in at the identity provider did not succeed: the parameter `error` of `/sign-in`, where the browser is
 * sent then. Decision: Sign-in. @public used by the sign-in page
 */
export const OIDC_ERRORS = [
  /** The person or the provider ended the sign-in. */
  'oidc_denied',
  /** The sign-in took too long, was used already, or began in another browser. */
  'oidc_expired',
  /** The provider can't be reached, or its response is not valid. */
  'oidc_failed',
  /** The provider has not verified the mail address. */
  'oidc_email_unverified',
  /** The mail address belongs to no allowed domain. */
  'oidc_domain',
  /** Nobody was invited with this mail address. */
  'oidc_not_invited',
  /** The person was removed from the organization. */
  'oidc_removed',
] as const;
export type OidcError = (typeof OIDC_ERRORS)[number];

/** A path of the dashboard. */
const localPath = () =>
  z.string().check(z.maxLength(500), z.regex(/^\/(?![/\\])[\x21-\x7e]*$/, 'Enter a path such as /library.'));
export const OidcStartQuery = { from: z.optional(localPath()) };
