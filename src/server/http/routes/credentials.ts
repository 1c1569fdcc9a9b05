import { networkPrefix } from '#server/http/rate-limit.ts';
import type { Handlers } from '#server/http/handler.ts';
import { type VerifyDeps, verifyUpload } from '#server/studio/credentials/verify-upload.ts';

/** Decision: Content credentials */
export const credentialRoutes = (deps: VerifyDeps) =>
  ({
    verify_credentials: ({ incoming, client, signal }) =>
      verifyUpload(deps, incoming, { address: networkPrefix(client.address) }, signal),
  }) satisfies Handlers;
