import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { EngineError, type ResolvedReference } from '../engine.ts';
import { AnswerLost } from '../upstream.ts';
import type { UpstreamHttp } from '../upstream-http.ts';

export interface FalStorage {
  storage_url: string;
  expire_after_seconds?: number | undefined;
}

/** Up to here a data URL goes into the request itself. */
const MAX_DATA_URL_BYTES = 256 * 1024;
/** What is sent in one piece. */
const MAX_BYTES = 90 * 1024 * 1024;
const START_TIMEOUT_MS = 60_000;
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

const started = z.object({ file_url: z.url(), upload_url: z.url() });

/**
 * Gives a file to fal: its storage hands out an address to put it to, and one to name it by.
 * @returns a URL for the endpoint's input
 * @throws {EngineError} {UpstreamBusy} {AnswerLost}
 */
export async function giveFile(
  http: UpstreamHttp,
  { storage_url, expire_after_seconds }: FalStorage,
  { file, media }: ResolvedReference,
  signal: AbortSignal,
): Promise<string> {
  const { mime_type, extension, size_bytes } = media;
  if (size_bytes <= MAX_DATA_URL_BYTES) return `data:${mime_type};base64,${await readFile(file, 'base64')}`;
  if (size_bytes > MAX_BYTES) {
    throw new EngineError(
      'invalid_media',
      'A file of the input is too large for this engine, which takes up to 90 MB.',
    );
  }
  const lifecycle = JSON.stringify({ expiration_duration_seconds: expire_after_seconds });
  const answer = await http.send(`${storage_url}/storage/upload/initiate?storage_type=fal-cdn-v3`, {
    headers: {
      'content-type': 'application/json',
      ...(expire_after_seconds === undefined ? {} : { 'x-fal-object-lifecycle': lifecycle }),
    },
    body: JSON.stringify({ content_type: mime_type, file_name: `reference.${extension}` }),
    with_credentials: true,
    timeout_ms: START_TIMEOUT_MS,
    signal,
  });
  const { data, error } = started.safeParse(await answer.json().catch(() => null));
  if (!data) throw new AnswerLost('The answer of the engine can’t be understood.', { cause: error });
  await http.send(data.upload_url, {
    method: 'PUT',
    headers: { 'content-type': mime_type },
    body: await openAsBlob(file, { type: mime_type }),
    with_credentials: false,
    timeout_ms: UPLOAD_TIMEOUT_MS,
    signal,
  });
  return data.file_url;
}
