import { openAsBlob } from 'node:fs';
import * as z from 'zod/mini';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { unreadableResponseError } from '#server/models/engine/upstream.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';

/** The fields that are used: sync.so/docs/developer-guides/asset-uploads (read 2026-11-23). */
const assetSchema = z.object({ id: z.string(), name: z.nullish(z.string()), url: z.nullish(z.string()) });
const assetListSchema = z.object({ items: z.array(assetSchema) });
const uploadSchema = z.object({ uploadUrl: z.url(), url: z.url() });

const UPLOAD_TIMEOUT_MS = 10 * 60_000;

/**
 * Uploads a file unless an asset of that name exists: an idempotency key belongs to one body. @returns its id
 * @param name unique to the submit key, without extension @throws {EngineError} {UpstreamBusyError} {ResponseLostError}
 */
export async function uploadToSync(
  http: UpstreamHttp,
  { file, media }: ResolvedReference,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const file_name = `${name}.${media.extension}`;
  const existing = await findAsset(http, file_name, signal);
  if (existing !== null) return existing;
  const upload = parse(
    uploadSchema,
    await http.requestJson('/v2/assets/upload', {
      method: 'POST',
      json: { fileName: file_name, contentType: media.mime_type, size: media.size_bytes },
      signal,
    }),
  );
  // The signature covers the type and no key.
  await http.requestUrl(upload.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': media.mime_type },
    body: await openAsBlob(file, { type: media.mime_type }),
    with_credentials: false,
    timeout_ms: UPLOAD_TIMEOUT_MS,
    signal,
  });
  const registration = { method: 'POST', json: { url: upload.url }, signal };
  return parse(assetSchema, await http.requestJson('/v2/assets', registration)).id;
}

/** The oldest asset of a name, as an interrupted submit may have left several. */
async function findAsset(http: UpstreamHttp, file_name: string, signal: AbortSignal): Promise<string | null> {
  const query = new URLSearchParams({ searchQuery: file_name, sortBy: 'dateAsc', limit: '10' });
  const { items } = parse(assetListSchema, await http.requestJson(`/v2/assets?${query}`, { signal }));
  const asset = items.find(({ name, url }) => name === file_name || url?.endsWith(`/${file_name}`));
  return asset?.id ?? null;
}

function parse<T>(schema: z.ZodMiniType<T>, response: unknown): T {
  const { data, error } = schema.safeParse(response);
  if (data !== undefined) return data;
  throw unreadableResponseError(error);
}
