import {
  allowInsecureRequests,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import type { OidcSettings } from '#server/platform/core/oidc-settings.ts';
import type { Fetcher } from '#server/platform/net/fetcher.ts';

const MAX_AGE_MS = 3_600_000;
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1_048_576;

/**
 * Returns a function that finds the endpoints of the identity provider and remembers them for an hour. The provider is
 * a setting of the operator, so it may be at any address.
 */
export function createOidcDiscovery(
  fetcher: Pick<Fetcher, 'createService'>,
  { issuer, client_id, client_secret }: OidcSettings,
): () => Promise<Configuration> {
  const fetchFromProvider: CustomFetch = (url, { body, headers, method, signal }) =>
    fetcher.createService(new URL(url).origin).fetch(url, {
      method,
      headers,
      timeout_ms: TIMEOUT_MS,
      max_response_bytes: MAX_RESPONSE_BYTES,
      ...(body === undefined || body === null ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
  let found: Promise<Configuration> | null = null;
  let found_at_ms = 0;
  return async () => {
    if (found && Date.now() - found_at_ms < MAX_AGE_MS) return found;
    const is_plain_http = issuer.startsWith('http://');
    const finding = discovery(new URL(issuer), client_id, client_secret, undefined, {
      [customFetch]: fetchFromProvider,
      execute: [enableNonRepudiationChecks, ...(is_plain_http ? [allowInsecureRequests] : [])],
    });
    found = finding;
    found_at_ms = Date.now();
    finding.catch(() => {
      if (found === finding) found = null;
    });
    return finding;
  };
}
