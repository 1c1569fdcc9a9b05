import type { Deps } from '#server/platform/deps.ts';
import type { IncomingMessage } from 'node:http';
import { and, eq, gt } from 'drizzle-orm';
import { UPLOAD_ID_HEADER } from '#contract/api/headers.ts';
import { resumableUploads } from '#server/platform/db/schema/upload-schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { toReceiveError, receiveLimits } from '#server/studio/uploads/upload-errors.ts';
import { assertUploadSpace, isOutOfSpace, watchUploadSpace } from '#server/studio/uploads/upload-folder.ts';
import { type ResumableUploadRow, resumableFolder } from './find-resumable.ts';
import { finishResumable, type FinishResumableDeps } from './finish-resumable.ts';
import type { ResumableLock } from './lock-resumable.ts';
import { runTusRequest, type TusResponse, buildTusRequest } from './tus-messages.ts';
import type { TusServer } from './tus-server.ts';
import { receiveBody, ReceiveError, type ReceiveLimits } from '#server/platform/core/receive-body.ts';

/** Bounds how long an upload that ran out of space occupies the disk. */
const OUT_OF_SPACE_TTL_MS = 3_600_000;

/**
 * Appends a body. An interrupted request keeps its bytes; one that runs out of disk space discards them.
 * @throws {ApiError} 408, 409, 413, 503; 400 if interrupted; {StorageError} `unavailable`
 */
export async function writeResumable(
  deps: Deps,
  tus: TusServer,
  { id, incoming, headers }: { id: string; incoming: IncomingMessage; headers?: Record<string, string | null> },
  lock: ResumableLock,
): Promise<TusResponse> {
  const { config } = deps;
  const folder = resumableFolder(config);
  const finished = new AbortController();
  const signal = AbortSignal.any([lock.signal, finished.signal]);
  const checkSpace = watchUploadSpace(deps, folder);
  try {
    const declared = Number(incoming.headers['content-length'] ?? 0);
    await assertUploadSpace(deps, folder, Math.min(declared, config.maxUploadBytes));
  } catch (error) {
    if (config.s3 === null) await expireSoon(deps, id);
    throw error;
  }
  const body = streamBody(incoming, { limits: receiveLimits(config), signal, check: checkSpace });
  try {
    const request = buildTusRequest(incoming, 'PATCH', { id, body: body.stream, headers: headers ?? {} });
    return await runTusRequest(config, tus.handle(request));
  } catch (caught) {
    const error = toReceiveError(body.failure() ?? caught);
    if (config.s3 === null && isOutOfSpace(error)) {
      const offset = Number(headers?.['upload-offset'] ?? incoming.headers['upload-offset']);
      await tus.truncate(id, offset);
      await expireSoon(deps, id);
    }
    throw error;
  } finally {
    finished.abort();
    await tus.settled(id);
  }
}

async function expireSoon({ db, clock }: Deps, id: string): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + OUT_OF_SPACE_TTL_MS);
  const expiresLater = and(eq(resumableUploads.id, id), gt(resumableUploads.expires_at, expiresAt));
  await db.update(resumableUploads).set({ expires_at: expiresAt }).where(expiresLater);
}

/** Adds the upload id once all bytes have arrived, or else the expiry. @throws {ApiError} 400 `invalid_media_upload` */
export async function completeTusResponse(
  deps: FinishResumableDeps,
  tus: TusServer,
  row: ResumableUploadRow,
  response: TusResponse,
  lock: ResumableLock,
): Promise<TusResponse> {
  const { offset, size } = await tus.progress(row.id);
  const more = offset === size ? { [UPLOAD_ID_HEADER]: await finishResumable(deps, row, lock) } : expiryHeaders(row);
  return { ...response, headers: { ...response.headers, ...more } };
}

export const expiryHeaders = ({ expires_at }: Pick<ResumableUploadRow, 'expires_at'>) => ({
  'upload-expires': expires_at.toUTCString(),
});

/** Repeats the final response, for clients that missed it. @throws {ApiError} 409 */
export function respondFinished(
  method: string,
  { headers }: IncomingMessage,
  row: ResumableUploadRow,
  uploadId: string,
): TusResponse {
  const length = String(row.length_bytes);
  const progressHeaders = { 'upload-offset': length, [UPLOAD_ID_HEADER]: uploadId };
  if (method === 'HEAD') return { status: 200, headers: { ...progressHeaders, 'upload-length': length } };
  if (headers['upload-offset'] === length && headers['content-length'] === '0')
    return { status: 204, headers: progressHeaders };
  throw new ApiError('upload_offset_conflict', 'This upload is complete.');
}

interface StreamedBody {
  stream: ReadableStream<Uint8Array>;
  failure(): unknown;
}

/** @param options.check is called with the length of each chunk before it is passed on; an error aborts the stream */
function streamBody(
  incoming: IncomingMessage,
  { limits, signal, check }: { limits: ReceiveLimits; signal: AbortSignal; check: (bytes: number) => Promise<void> },
): StreamedBody {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  let failure: unknown;
  const handleChunk = async (chunk: Buffer): Promise<void> => {
    signal.throwIfAborted();
    await check(chunk.length).catch((error: unknown) => {
      failure ??= error;
      throw error;
    });
    return writer.write(chunk);
  };
  const fail = async (error: unknown): Promise<void> => {
    // Any other error comes from the consumer of the stream.
    if (signal.aborted || error instanceof ReceiveError) failure ??= error;
    await writer.abort(error);
  };
  const onAbort = () => void fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  receiveBody(incoming, handleChunk, limits)
    .then(() => writer.close())
    .catch(fail)
    .finally(() => signal.removeEventListener('abort', onAbort));
  return { stream: readable, failure: () => failure };
}
