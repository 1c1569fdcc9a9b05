import type { Me } from '#contract/resources/api-key.ts';
import { api } from '#web/api.ts';
import { isMissingFeature } from '#web/api-errors.ts';
import { getKey } from '#web/session/session.ts';

export interface Limits {
  /** Whose key sends them; null where the service does not say, and then nothing is kept over a reload. */
  owner: string | null;
  /** null: not told. */
  max_bytes: number | null;
  /** null: whole files only. */
  resumable_path: string | null;
}

const FRESH_MS = 300_000;
let known: { key: string | null; until_ms: number; limits: Limits } | undefined;

/** What the service takes, and from whom. @throws {NetworkError} no answer @throws {ApiError} refused */
export async function readLimits(): Promise<Limits> {
  const key = getKey();
  if (known && known.key === key && known.until_ms > Date.now()) return known.limits;
  const limits = limitsOf(await api.call('get_me').catch(orNothing));
  known = { key, until_ms: Date.now() + FRESH_MS, limits };
  return limits;
}

/** The same as far as it was read already. */
export const knownLimits = (): Limits | null => (known && known.key === getKey() ? known.limits : null);

const orNothing = (error: unknown): null => {
  if (isMissingFeature(error)) return null;
  throw error;
};

const limitsOf = (me: Me | null): Limits => ({
  owner: me?.key.id ?? null,
  max_bytes: me?.media?.max_upload_bytes ?? null,
  resumable_path: me?.media?.resumable_uploads_path ?? null,
});
