import type { Deps } from '#server/platform/deps.ts';
import { readMediaCredentials } from '#server/studio/credentials/read-media-credentials.ts';
import type { Handlers } from '#server/http/handler.ts';

/** Decision: Content credentials */
export const credentialRoutes = (deps: Deps) =>
  ({
    get_media_credentials: ({ caller, params, signal }) =>
      readMediaCredentials(deps, caller.organization_id, params.media_id, signal),

    async get_signing_certificate() {
      const { kind, subject, issuer, expires_at } = await deps.signing.signer();
      const { time_stamp_host } = deps.signing;
      return {
        object: 'signing_certificate',
        kind,
        subject,
        issuer,
        expires_at: expires_at.toISOString(),
        time_stamp_host,
      };
    },
  }) satisfies Handlers;
