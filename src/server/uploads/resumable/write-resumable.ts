import type { IncomingMessage } from 'node:http';
import { and, eq, gt } from 'drizzle-orm';
import { UPLOAD_ID_HEADER } from '#contract/resources/upload.ts';
import { resumableUploads } from '#server/db/upload-schema.ts';
import { ApiError } from '#server/core/api-error.ts';
import { toReceiveError, receiveLimits } from '../upload-errors.ts';
import { assertUploadSpace, isOutOfSpace, watchUploadSpace } from '../upload-space.ts';
import { type ResumableUploadRow, resumableFolder } from './find-resumable.ts';
import { finishResumable, type FinishResumableDeps } from './finish-resumable.ts';
import type { ResumableLock } from './lock-resumable.ts';
import { streamBody } from './stream-body.ts';
import { runTusRequest, type TusResponse, buildTusRequest } from './tus-messages.ts';
import type { TusServer } from './tus-server.ts';

/** An upload that ran out of disk space occupies the disk for so long, unless it is continued and completed. */
const OUT_OF_SPACE_TTL_MS = 3_600_000;

/**
 * Appends what a request brings, with the limits of all uploads. What has arrived is kept if the request breaks off; if the disk
 * has no room for it, the bytes of this request are discarded.
 * @param headers in place of those that it came with
 * @throws {ApiError} 408, 409, 413, 503; 400 where it was broken off @throws {StorageError} `unavailable`
 */
export async function writeResumable(
  deps: Pick<FinishResumableDeps, 'config' | 'db' | 'clock' | 'storage'>,
  tus: TusServer,
  { id, incoming, headers }: { id: string; incoming: IncomingMessage; headers?: Record<string, string | null> },
  held: ResumableLock,
): Promise<TusResponse> {
  const { config } = deps;
  const folder = resumableFolder(config);
  const over = new AbortController();
  const signal = AbortSignal.any([held.signal, over.signal]);
  const checkSpace = watchUploadSpace(deps, folder);
  try {
    const declared = Number(incoming.headers['content-length'] ?? 0);
    await assertUploadSpace(deps, folder, Math.min(declared, config.max_upload_bytes));
  } catch (error) {
    await expireSoon(deps, id);
    throw error;
  }
  const body = streamBody(incoming, { limits: receiveLimits(config), signal, check: checkSpace });
  try {
    const request = buildTusRequest(incoming, 'PATCH', { id, body: body.stream, headers: headers ?? {} });
    return await runTusRequest(config, tus.handle(request));
  } catch (caught) {
    const error = toReceiveError(body.failure() ?? caught);
    if (isOutOfSpace(error)) {
      const offset = Number(headers?.['upload-offset'] ?? incoming.headers['upload-offset']);
      await tus.truncate(id, offset);
      await expireSoon(deps, id);
    }
    throw error;
  } finally {
    over.abort();
  }
}

async function expireSoon({ db, clock }: Pick<FinishResumableDeps, 'db' | 'clock'>, id: string): Promise<void> {
  const expires_at = new Date(clock.now().getTime() + OUT_OF_SPACE_TTL_MS);
  const later = and(eq(resumableUploads.id, id), gt(resumableUploads.expires_at, expires_at));
  await db.update(resumableUploads).set({ expires_at }).where(later);
}

/**
 * Completes an answer: with the upload it became, once it is whole; else with the time until which it can be continued.
 * @throws {ApiError} 400 `invalid_media_upload` where what has arrived is no accepted medium
 */
export async function completeTusResponse(
  deps: FinishResumableDeps,
  tus: TusServer,
  row: ResumableUploadRow,
  answer: TusResponse,
  held: ResumableLock,
): Promise<TusResponse> {
  const { offset, size } = await tus.progress(row.id);
  const more = offset === size ? { [UPLOAD_ID_HEADER]: await finishResumable(deps, row, held) } : expiryHeaders(row);
  return { ...answer, headers: { ...answer.headers, ...more } };
}

export const expiryHeaders = ({ expires_at }: Pick<ResumableUploadRow, 'expires_at'>) => ({
  'upload-expires': expires_at.toUTCString(),
});

/** Of one that is an upload already: whoever missed that hears of it again. @throws {ApiError} 409 */
export function respondFinished(
  { method, headers }: IncomingMessage,
  row: ResumableUploadRow,
  upload_id: string,
): TusResponse {
  const length = String(row.length_bytes);
  const told = { 'upload-offset': length, [UPLOAD_ID_HEADER]: upload_id };
  if (method === 'HEAD') return { status: 200, headers: { ...told, 'upload-length': length } };
  if (headers['upload-offset'] === length && headers['content-length'] === '0') return { status: 204, headers: told };
  throw new ApiError('upload_offset_conflict', 'This upload is complete.');
}
