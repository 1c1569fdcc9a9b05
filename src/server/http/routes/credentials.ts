import { readMediaCredentials } from '#server/studio/library/read-media-credentials.ts';
import { type VerifyDeps, verifyUpload } from '#server/studio/credentials/verify-upload.ts';
import type { Handlers } from '#server/http/handler.ts';
import { networkPrefix } from '#server/http/rate-limit.ts';

/** Decision: Content credentials */
export const credentialRoutes = (deps: VerifyDeps) =>
  ({
    verify_credentials: ({ incoming, client, signal }) =>
      verifyUpload(deps, incoming, { address: networkPrefix(client.address) }, signal),

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
