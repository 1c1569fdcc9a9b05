import type { Me } from '#contract/resources/api-key.ts';
import { api } from '#web/api/api.ts';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { getSession } from '#web/api/session/session.ts';

export interface UploadCapabilities {
  /** Id of the session's key; null if unknown, and then uploads are not stored in the browser. */
  owner: string | null;
  maxBytes: number | null;
  /** null if the service has no resumable uploads. */
  resumablePath: string | null;
}

const FRESH_MS = 300_000;
let cached: { session: string | undefined; untilMs: number; limits: UploadCapabilities } | undefined;

/** Cached for five minutes. @throws {NetworkError} @throws {ApiError} */
export async function fetchUploadCapabilities(): Promise<UploadCapabilities> {
  const session = getSession()?.id;
  if (cached && cached.session === session && cached.untilMs > Date.now()) return cached.limits;
  const limits = toUploadCapabilities(await api.call('get_me').catch(nullIfMissing));
  cached = { session, untilMs: Date.now() + FRESH_MS, limits };
  return limits;
}

export const cachedUploadCapabilities = (): UploadCapabilities | null =>
  cached && cached.session === getSession()?.id ? cached.limits : null;

const nullIfMissing = (error: unknown): null => {
  if (isMissingFeature(error)) return null;
  throw error;
};

const toUploadCapabilities = (me: Me | null): UploadCapabilities => ({
  owner: me?.key.id ?? null,
  maxBytes: me?.media?.max_upload_bytes ?? null,
  resumablePath: me?.media?.resumable_uploads_path ?? null,
});
