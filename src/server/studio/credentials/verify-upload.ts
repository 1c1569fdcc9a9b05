import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type CredentialReport, MAX_VERIFIED_BYTES } from '#contract/resources/credentials.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type InspectedFile, inspectFile } from '#server/platform/media/credentials/inspect-file.ts';
import { FORMATS } from '#server/platform/media/formats.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { detectFormat } from '#server/platform/media/sniff.ts';
import { mediaBusyError } from '#server/studio/assets/media-busy-error.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import { receiveFile } from '#server/studio/uploads/receive-file.ts';
import { assertUploadSpace, watchUploadSpace } from '#server/studio/uploads/upload-folder.ts';
import type { CredentialChecks } from './credential-checks.ts';

export type VerifyDeps = Deps & { credentialChecks: CredentialChecks };

const LIMITS = { maxUploadBytes: MAX_VERIFIED_BYTES, uploadStallSeconds: 20, uploadTimeoutSeconds: 600 };
const MANIFEST = { field: 'manifest', maxBytes: 5_242_880 };

/**
 * Checks a file that anyone sent as the form field `file`, with a manifest beside it as `manifest`. Nothing is kept.
 * @param client the address stands for all that one subscriber has
 * @throws {ApiError} 400 `invalid_media_upload`, 408, 413, 429, 503
 */
export async function verifyUpload(
  deps: VerifyDeps,
  incoming: IncomingMessage,
  { address }: { address: string },
  signal: AbortSignal,
): Promise<CredentialReport> {
  return deps.credentialChecks.run(address, () =>
    withTempDir(deps.config.mediaDir, async (folder) => {
      const declared = Number(incoming.headers['content-length'] ?? 0);
      await assertUploadSpace(deps, folder, Math.min(declared, MAX_VERIFIED_BYTES));
      const file = join(folder, 'file');
      const checkSpace = watchUploadSpace(deps, folder);
      const { manifest } = await receiveFile(incoming, file, LIMITS, checkSpace, MANIFEST);
      return inspect(deps, { file, sidecar: manifest ?? undefined }, { owner: `verify ${address}`, signal });
    }),
  );
}

/** @throws {ApiError} 400 `invalid_media_upload`, 503 `service_unavailable`; the signal's reason when aborted */
async function inspect(
  { media, signing }: Deps,
  { file, sidecar }: Omit<InspectedFile, 'mime_type'>,
  options: { owner: string; signal: AbortSignal },
): Promise<CredentialReport> {
  try {
    const { mime_type } = FORMATS[await detectFormat(file)];
    const trust = await signing.trust();
    const checked = await inspectFile(media, { file, mime_type, sidecar }, trust, {
      ...options,
      isRequest: true,
      isPublic: true,
    });
    return checked.report;
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    if (error.code === 'busy') throw mediaBusyError(error);
    throw new ApiError('invalid_media_upload', error.message, { cause: error });
  }
}
