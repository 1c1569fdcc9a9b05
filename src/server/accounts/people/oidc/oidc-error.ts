import type { OidcError } from '#contract/resources/session.ts';

/** Why a sign-in at the identity provider did not succeed. */
export class OidcSignInError extends Error {
  override readonly name = 'OidcSignInError';
  readonly code: OidcError;

  constructor(code: OidcError, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}
