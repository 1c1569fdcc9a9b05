import { randomBytes } from 'node:crypto';
import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  allowInsecureRequests,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import * as z from 'zod/mini';
import { ApiError } from '#server/platform/core/api-error.ts';
import { isMultiTenant, type OidcSettings } from '#server/platform/core/settings/oidc-settings.ts';
import type { Deps } from '#server/platform/deps.ts';
import { openSession } from '#server/accounts/keys/open-session.ts';
import type { NewSession, SessionOrigin } from '#server/accounts/keys/sessions.ts';
import { storeChallenge, takeChallenge } from '#server/accounts/people/sign-in-challenges.ts';
import { OidcSignInError } from './oidc-error.ts';
import { isUserInfoNeeded, type ProviderClaims, readIdentity } from './read-identity.ts';
import { resolvePerson } from './resolve-person.ts';
import type { Fetcher } from '#server/platform/net/fetcher.ts';

/** How long a person may take at the identity provider. */
export const OIDC_TTL_MS = 600_000;
const CALLBACK_PATH = '/v1/sign-in/oidc/callback';

/** What the service remembers of a sign-in that began. */
const Pending = z.object({
  state: z.string(),
  nonce: z.string(),
  code_verifier: z.string(),
  from: z.string(),
});

export interface OidcSignIn {
  /** @param from path of the dashboard. @throws {OidcSignInError} */
  start(from: string): Promise<{ url: string; browserText: string }>;
  /**
   * @param requestUrl path and query of the callback
   * @param browserText what `start` returned, as the browser kept it
   * @throws {OidcSignInError}
   */
  finish(
    requestUrl: string,
    browserText: string | null,
    origin: Omit<SessionOrigin, 'method'>,
  ): Promise<{ session: NewSession; from: string }>;
}

export function createOidcSignIn(deps: Deps, settings: OidcSettings): OidcSignIn {
  const discover = createOidcDiscovery(deps.fetcher, settings);
  const findProvider = (): Promise<Configuration> =>
    discover().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'the identity provider could not be reached');
      throw new OidcSignInError('oidc_failed', error);
    });

  async function takePending(browserText: string | null): Promise<z.infer<typeof Pending>> {
    const row = browserText === null ? null : await takeChallenge(deps, browserText, 'oidc');
    const text = row && browserText !== null ? deps.secrets.decrypt('sign-in', browserText, row.value) : null;
    if (text === null) throw new OidcSignInError('oidc_expired');
    return Pending.parse(JSON.parse(text));
  }

  return {
    async start(from) {
      const provider = await findProvider();
      const [state, nonce, code_verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
      const browserText = randomBytes(32).toString('base64url');
      const value = deps.secrets.encrypt('sign-in', browserText, JSON.stringify({ state, nonce, code_verifier, from }));
      await storeChallenge(deps, browserText, { purpose: 'oidc', value, person_id: null }, OIDC_TTL_MS);
      const url = buildAuthorizationUrl(provider, {
        redirect_uri: deps.config.publicUrl + CALLBACK_PATH,
        scope: 'openid email profile',
        code_challenge: await calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { url: url.href, browserText };
    },

    async finish(requestUrl, browserText, origin) {
      const { state, nonce, code_verifier, from } = await takePending(browserText);
      const provider = await findProvider();
      const claims = await readClaims(settings, provider, new URL(requestUrl, deps.config.publicUrl), {
        pkceCodeVerifier: code_verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      }).catch((error: unknown) => {
        const isDenied = error instanceof AuthorizationResponseError && error.error === 'access_denied';
        if (!isDenied) deps.log.warn({ err: error }, 'a sign-in at the identity provider failed');
        throw new OidcSignInError(isDenied ? 'oidc_denied' : 'oidc_failed', error);
      });
      const identity = readIdentity(settings, claims);
      const session = await deps.db
        .transaction(async (tx) => {
          const person = await resolvePerson({ ...deps, tx }, settings, identity, origin.address ?? '');
          return openSession({ tx, clock: deps.clock }, person.key_id, { method: 'oidc', ...origin });
        })
        .catch((error: unknown) => {
          // Somebody else got the mail address at the same moment.
          throw error instanceof ApiError ? new OidcSignInError('oidc_failed', error) : error;
        });
      if (!session) throw new OidcSignInError('oidc_removed');
      return { session, from };
    },
  };
}

type Checks = Parameters<typeof authorizationCodeGrant>[2];

/** Claims of the ID token, and those of the user info endpoint where the token leaves something out. */
async function readClaims(
  settings: OidcSettings,
  provider: Configuration,
  url: URL,
  checks: Checks,
): Promise<ProviderClaims> {
  const tokens = await authorizationCodeGrant(provider, url, checks);
  const idToken = tokens.claims();
  if (!idToken) throw new Error('The identity provider sent no ID token.');
  const { issuer, userinfo_endpoint } = provider.serverMetadata();
  if (settings.trusts_email && isMultiTenant(issuer)) {
    throw new Error('OIDC_TRUST_EMAIL is set, but the identity provider serves several organizations.');
  }
  const hasUserInfo = userinfo_endpoint !== undefined && isUserInfoNeeded(settings, idToken);
  return { idToken, userInfo: hasUserInfo ? await fetchUserInfo(provider, tokens.access_token, idToken.sub) : {} };
}

const MAX_AGE_MS = 3_600_000;
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1_048_576;

/**
 * Returns a function that finds the endpoints of the identity provider and remembers them for an hour. The provider is
 * a setting of the operator, so it may be at any address.
 */
function createOidcDiscovery(
  fetcher: Pick<Fetcher, 'createService'>,
  { issuer, client_id, client_secret }: OidcSettings,
): () => Promise<Configuration> {
  const fetchFromProvider: CustomFetch = (url, { body, headers, method, signal }) =>
    fetcher.createService(new URL(url).origin).fetch(url, {
      method,
      headers,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      ...(body === undefined || body === null ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
  let found: Promise<Configuration> | null = null;
  let foundAtMs = 0;
  return async () => {
    if (found && Date.now() - foundAtMs < MAX_AGE_MS) return found;
    const isPlainHttp = issuer.startsWith('http://');
    const finding = discovery(new URL(issuer), client_id, client_secret, undefined, {
      [customFetch]: fetchFromProvider,
      execute: [enableNonRepudiationChecks, ...(isPlainHttp ? [allowInsecureRequests] : [])],
    });
    found = finding;
    foundAtMs = Date.now();
    finding.catch(() => {
      if (found === finding) found = null;
    });
    return finding;
  };
}
