import type { IncomingMessage } from 'node:http';
import { UPLOAD_ID_HEADER } from '#contract/resources/upload.ts';
import { ApiError } from '../../http/api-error.ts';
import { lateOrGone, receiveLimits } from '../upload-errors.ts';
import type { ResumableRow } from './find-resumable.ts';
import { finishResumable, type Finishing } from './finish-resumable.ts';
import { expiryOf, type Held } from './hold-resumable.ts';
import { readBody } from './read-body.ts';
import { exchange, type TusAnswer, tusRequest } from './tus-exchange.ts';
import type { TusServer } from './tus-server.ts';

/**
 * Appends what a request brings, with the limits of all uploads. What has arrived is kept whatever happens.
 * @param headers in place of those that it came with
 * @throws {ApiError} 408, 409, 413; 400 where it was broken off
 */
export async function writeResumable(
  { config }: Pick<Finishing, 'config'>,
  tus: TusServer,
  { id, incoming, headers }: { id: string; incoming: IncomingMessage; headers?: Record<string, string | null> },
  held: Held,
): Promise<TusAnswer> {
  const over = new AbortController();
  const body = readBody(incoming, receiveLimits(config), AbortSignal.any([held.signal, over.signal]));
  try {
    const request = tusRequest(incoming, 'PATCH', { id, body: body.stream, headers: headers ?? {} });
    return await exchange(config, tus.answer(request));
  } catch (error) {
    throw lateOrGone(body.failure() ?? error);
  } finally {
    over.abort();
  }
}

/**
 * Completes an answer: with the upload it became, once it is whole; else with the time until which it can be continued.
 * @throws {ApiError} 400 `invalid_media_upload` where what has arrived is no accepted medium
 */
export async function conclude(
  deps: Finishing,
  tus: TusServer,
  row: ResumableRow,
  answer: TusAnswer,
  held: Held,
): Promise<TusAnswer> {
  const { offset, size } = await tus.progress(row.id);
  const more = offset === size ? { [UPLOAD_ID_HEADER]: await finishResumable(deps, row, held) } : expires(deps);
  return { ...answer, headers: { ...answer.headers, ...more } };
}

export const expires = ({ config, clock }: Pick<Finishing, 'config' | 'clock'>) => ({
  'upload-expires': expiryOf(config, clock.now()).toUTCString(),
});

/** Of one that is an upload already: whoever missed that hears of it again. @throws {ApiError} 409 */
export function answerFinished({ method, headers }: IncomingMessage, row: ResumableRow, upload_id: string): TusAnswer {
  const length = String(row.length_bytes);
  const told = { 'upload-offset': length, [UPLOAD_ID_HEADER]: upload_id };
  if (method === 'HEAD') return { status: 200, headers: { ...told, 'upload-length': length } };
  if (headers['upload-offset'] === length && headers['content-length'] === '0') return { status: 204, headers: told };
  throw new ApiError('upload_offset_conflict', 'This upload is complete.');
}
