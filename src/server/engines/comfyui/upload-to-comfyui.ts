import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ResolvedReference } from '../engine.ts';
import type { UpstreamHttp } from '../upstream-http.ts';
import { parseComfyUiResponse, fileUploadedSchema } from './comfyui-schemas.ts';

/** In ComfyUI's folder of inputs. It offers no way to remove a file again. */
const SUBFOLDER = 'emulsion';
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

/**
 * Sends a file, by a route that is called after images and takes any media. It is named after its content, so that the
 * same file is there once, whoever sends it.
 * @returns what an input of a node takes
 * @throws as `http.json` does
 */
export async function uploadToComfyUi(
  http: UpstreamHttp,
  { file, media }: ResolvedReference,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  const form = new FormData();
  const blob = await openAsBlob(file, { type: media.mime_type });
  form.append('image', blob, `${hash.digest('hex').slice(0, 40)}.${media.extension}`);
  form.append('type', 'input');
  form.append('subfolder', SUBFOLDER);
  form.append('overwrite', 'true');
  const timeout_ms = UPLOAD_TIMEOUT_MS;
  const answer = await http.requestJson('/upload/image', { method: 'POST', body: form, signal, timeout_ms });
  const { name, subfolder } = parseComfyUiResponse(fileUploadedSchema, answer);
  return `${subfolder}/${name}`;
}
