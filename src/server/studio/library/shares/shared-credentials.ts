import type { CredentialReport } from '#contract/resources/credentials.ts';
import { findStoredMedia } from '#server/studio/assets/find-stored-media.ts';
import { inspectStored } from '#server/studio/credentials/inspect-stored.ts';
import type { VerifyDeps } from '#server/studio/credentials/verify-upload.ts';
import { findSharedId, type OpenShare } from './open-share.ts';

/**
 * Checks a file of a share. The report says no more of it than the page does: no prompt unless the page shows prompts,
 * and names and pictures of what it was made from only with the file itself.
 * @returns null if the share does not show it now
 * @throws {ApiError} 429, 503; {MediaError} {StorageError}; the signal's reason when aborted
 */
export async function readSharedCredentials(
  deps: VerifyDeps,
  share: OpenShare,
  sealed: string,
  signal: AbortSignal,
): Promise<CredentialReport | null> {
  const { id: owner, shows_prompts, allows_downloads } = share.row;
  const id = await findSharedId(deps, share, sealed);
  const medium = id === null ? null : await findStoredMedia(deps.db, id);
  if (!medium) return null;
  const { report } = await deps.credentialChecks.run(owner, () =>
    inspectStored(deps, medium, { owner, isRequest: true, isPublic: true, signal }),
  );
  const steps = report.steps.map((step) => ({
    ...step,
    prompt: shows_prompts ? step.prompt : null,
    ...(allows_downloads
      ? {}
      : {
          title: null,
          thumbnail: null,
          identities: step.identities.map((identity) => ({ ...identity, name: null })),
          ingredients: step.ingredients.map((ingredient) => ({ ...ingredient, title: null })),
        }),
  }));
  return { ...report, steps };
}
