import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { ResolvedReference } from '../engine.ts';
import type { UpstreamHttp } from '../upstream-http.ts';
import { parseComfyUiResponse, fileUploadedSchema } from './comfyui-schemas.ts';

/** Below ComfyUI's input folder. ComfyUI has no way to delete an input. */
const INPUT_SUBFOLDER = 'emulsion';
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

/**
 * Uploads a file through `/upload/image`, which accepts any media. The name is a hash of the content, so that the same
 * file is stored once.
 * @param input_subfolder null for servers that store all inputs in one place
 * @returns the value of a node's input
 * @throws like `UpstreamHttp.requestJson`
 */
export async function uploadToComfyUi(
  http: UpstreamHttp,
  { file, media }: ResolvedReference,
  signal: AbortSignal,
  input_subfolder: string | null = INPUT_SUBFOLDER,
): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  const form = new FormData();
  const blob = await openAsBlob(file, { type: media.mime_type });
  form.append('image', blob, `${hash.digest('hex').slice(0, 40)}.${media.extension}`);
  form.append('type', 'input');
  if (input_subfolder !== null) form.append('subfolder', input_subfolder);
  form.append('overwrite', 'true');
  const timeout_ms = UPLOAD_TIMEOUT_MS;
  const response = await http.requestJson('/upload/image', { method: 'POST', body: form, signal, timeout_ms });
  const { name, subfolder } = parseComfyUiResponse(fileUploadedSchema, response);
  return input_subfolder === null ? name : `${subfolder}/${name}`;
}
