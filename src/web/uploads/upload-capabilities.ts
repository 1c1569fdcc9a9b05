import type { Me } from '#contract/resources/api-key.ts';
import { api } from '#web/api/api.ts';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { getKey } from '#web/api/session/session.ts';

export interface UploadCapabilities {
  /** Whose key sends them; null where the service does not say, and then nothing is kept over a reload. */
  owner: string | null;
  /** null: not told. */
  max_bytes: number | null;
  /** null: whole files only. */
  resumable_path: string | null;
}

const FRESH_MS = 300_000;
let cached: { key: string | null; until_ms: number; limits: UploadCapabilities } | undefined;

/** What the service takes, and from whom. @throws {NetworkError} no answer @throws {ApiError} refused */
export async function fetchUploadCapabilities(): Promise<UploadCapabilities> {
  const key = getKey();
  if (cached && cached.key === key && cached.until_ms > Date.now()) return cached.limits;
  const limits = toUploadCapabilities(await api.call('get_me').catch(nullIfMissing));
  cached = { key, until_ms: Date.now() + FRESH_MS, limits };
  return limits;
}

/** The same as far as it was read already. */
export const cachedUploadCapabilities = (): UploadCapabilities | null =>
  cached && cached.key === getKey() ? cached.limits : null;

const nullIfMissing = (error: unknown): null => {
  if (isMissingFeature(error)) return null;
  throw error;
};

const toUploadCapabilities = (me: Me | null): UploadCapabilities => ({
  owner: me?.key.id ?? null,
  max_bytes: me?.media?.max_upload_bytes ?? null,
  resumable_path: me?.media?.resumable_uploads_path ?? null,
});
