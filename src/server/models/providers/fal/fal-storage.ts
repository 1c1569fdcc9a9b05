import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { unreadableResponseError } from '#server/models/engine/upstream.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';

export interface FalStorageOptions {
  storage_url: string;
  expire_after_seconds?: number | undefined;
  /** Smaller files are embedded as a data URL; default 256 KB. */
  max_data_url_bytes?: number | undefined;
  /** Larger files are uploaded in parts; default 90 MB, as in fal's own client. */
  max_whole_bytes?: number | undefined;
}

const MAX_DATA_URL_BYTES = 256 * 1024;
const MAX_WHOLE_BYTES = 90 * 1024 * 1024;
const PART_BYTES = 10 * 1024 * 1024;
const RESPONSE_TIMEOUT_MS = 60_000;
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

const uploadStartedSchema = z.object({ file_url: z.url(), upload_url: z.url() });
const uploadedPartSchema = z.object({ partNumber: z.int(), etag: z.string() });

/** @returns a URL for the endpoint's input @throws {EngineError} {UpstreamBusyError} {ResponseLostError} */
export async function uploadToFal(
  http: UpstreamHttp,
  options: FalStorageOptions,
  { file, media }: ResolvedReference,
  signal: AbortSignal,
): Promise<string> {
  const { storage_url, expire_after_seconds } = options;
  const { max_data_url_bytes = MAX_DATA_URL_BYTES, max_whole_bytes = MAX_WHOLE_BYTES } = options;
  const { mime_type, extension, size_bytes } = media;
  if (size_bytes <= max_data_url_bytes) return `data:${mime_type};base64,${await readFile(file, 'base64')}`;
  const inParts = size_bytes > max_whole_bytes;
  const lifecycle = JSON.stringify({ expiration_duration_seconds: expire_after_seconds });
  const operation = inParts ? 'initiate-multipart' : 'initiate';
  const response = await http.requestUrl(`${storage_url}/storage/upload/${operation}?storage_type=fal-cdn-v3`, {
    headers: { ...JSON_TYPE, ...(expire_after_seconds === undefined ? {} : { 'x-fal-object-lifecycle': lifecycle }) },
    body: JSON.stringify({ content_type: mime_type, file_name: `reference.${extension}` }),
    with_credentials: true,
    timeoutMs: RESPONSE_TIMEOUT_MS,
    signal,
  });
  const { upload_url, file_url } = await parseResponse(uploadStartedSchema, response);
  const content = await openAsBlob(file, { type: mime_type });
  if (inParts) await uploadParts(http, upload_url, content, signal);
  else await putFile(http, upload_url, content, signal);
  return file_url;
}

const JSON_TYPE = { 'content-type': 'application/json' };

const putFile = (http: UpstreamHttp, url: string, body: Blob, signal: AbortSignal): Promise<Response> =>
  http.requestUrl(url, {
    method: 'PUT',
    headers: body.type === '' ? {} : { 'content-type': body.type },
    body,
    with_credentials: false,
    timeoutMs: UPLOAD_TIMEOUT_MS,
    signal,
  });

async function uploadParts(http: UpstreamHttp, url: string, content: Blob, signal: AbortSignal): Promise<void> {
  const { origin, pathname, search } = new URL(url);
  const partUrl = (name: string | number): string => `${origin}${pathname}/${name}${search}`;
  const parts: z.infer<typeof uploadedPartSchema>[] = [];
  for (let from = 0; from < content.size; from += PART_BYTES) {
    const response = await putFile(http, partUrl(parts.length + 1), content.slice(from, from + PART_BYTES), signal);
    parts.push(await parseResponse(uploadedPartSchema, response));
  }
  const body = JSON.stringify({ parts });
  const completion = { headers: JSON_TYPE, body, with_credentials: false, timeoutMs: RESPONSE_TIMEOUT_MS, signal };
  await http.requestUrl(partUrl('complete'), completion);
}

async function parseResponse<T>(schema: z.ZodMiniType<T>, response: Response): Promise<T> {
  const { data, error } = schema.safeParse(await response.json().catch(() => null));
  if (data !== undefined) return data;
  throw unreadableResponseError(error);
}
