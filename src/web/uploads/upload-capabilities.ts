import type { Me } from '#contract/resources/api-key.ts';
import { api } from '#web/api/api.ts';
import { getSession } from '#web/api/session/session.ts';

export interface UploadCapabilities {
  /** Id of the session's key. */
  owner: string;
  maxBytes: number;
  resumablePath: string;
}

const FRESH_MS = 300_000;
let cached: { session: string | undefined; untilMs: number; limits: UploadCapabilities } | undefined;

/** Cached for five minutes. @throws {NetworkError} @throws {ApiError} */
export async function fetchUploadCapabilities(): Promise<UploadCapabilities> {
  const session = getSession()?.id;
  if (cached && cached.session === session && cached.untilMs > Date.now()) return cached.limits;
  const limits = toUploadCapabilities(await api.call('get_me'));
  cached = { session, untilMs: Date.now() + FRESH_MS, limits };
  return limits;
}

export const cachedUploadCapabilities = (): UploadCapabilities | null =>
  cached && cached.session === getSession()?.id ? cached.limits : null;

const toUploadCapabilities = ({ key, media }: Me): UploadCapabilities => ({
  owner: key.id,
  maxBytes: media.max_upload_bytes,
  resumablePath: media.resumable_uploads_path,
});
