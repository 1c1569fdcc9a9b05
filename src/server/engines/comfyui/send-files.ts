import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ResolvedReference } from '../engine.ts';
import type { UpstreamHttp } from '../upstream-http.ts';
import { parseAnswer, uploadedSchema } from './comfy-answers.ts';

/** In ComfyUI's folder of inputs. It offers no way to remove a file again. */
const SUBFOLDER = 'emulsion';
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

/** What ComfyUI will know a file by: by its content, so that the same file is there once, whoever sends it. */
export async function nameFile({ file, media }: ResolvedReference): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return `${SUBFOLDER}/${hash.digest('hex').slice(0, 40)}.${media.extension}`;
}

/** Sends one file; its route is called after images and takes any media. @throws as `http.json` does */
export async function sendFile(
  http: UpstreamHttp,
  name: string,
  { file, media }: ResolvedReference,
  signal: AbortSignal,
): Promise<void> {
  const form = new FormData();
  form.append('image', await openAsBlob(file, { type: media.mime_type }), name.slice(SUBFOLDER.length + 1));
  form.append('type', 'input');
  form.append('subfolder', SUBFOLDER);
  form.append('overwrite', 'true');
  const timeout_ms = UPLOAD_TIMEOUT_MS;
  parseAnswer(uploadedSchema, await http.json('/upload/image', { method: 'POST', body: form, signal, timeout_ms }));
}
