import type { OidcError } from '#contract/resources/session.ts';

const MESSAGES: Readonly<Record<OidcError, string>> = {
  oidc_denied: 'The sign-in was canceled at your identity provider.',
  oidc_expired: 'The sign-in took too long, or began in another browser. Try again.',
  oidc_failed: 'Your identity provider did not respond as expected. Try again, or ask your administrator.',
  oidc_email_unverified: 'Your identity provider has not verified your mail address. Verify it there, then try again.',
  oidc_domain: 'People with your mail address cannot sign in here. Use the address of your organization.',
  oidc_not_invited: 'Nobody has invited your mail address yet. Ask an administrator for an invitation.',
  oidc_removed: 'Your account was removed from this organization. Ask an administrator to invite you again.',
};

/** Returns the sentence for the parameter `error` of the page, where the identity provider's callback leads. */
export const oidcErrorMessage = (code: string): string =>
  Object.hasOwn(MESSAGES, code) ? MESSAGES[code as OidcError] : 'You could not be signed in. Try again.';
