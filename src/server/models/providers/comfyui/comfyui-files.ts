import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { isRecord } from '#server/models/engine/upstream-errors.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { type ComfyUiHistoryEntry, fileUploadedSchema, parseComfyUiResponse } from './comfyui-schemas.ts';

/** Below ComfyUI's input folder. ComfyUI has no way to delete an input. */
const INPUT_SUBFOLDER = 'emulsion';
const UPLOAD_TIMEOUT_MS = 10 * 60_000;

/**
 * Uploads a file under a hash of its content, so that the same file is stored once.
 * @param inputSubfolder null for servers that store all inputs in one place
 * @returns the value of a node's input @throws like `UpstreamHttp.requestJson`
 */
export async function uploadToComfyUi(
  http: UpstreamHttp,
  { file, media }: ResolvedReference,
  signal: AbortSignal,
  inputSubfolder: string | null = INPUT_SUBFOLDER,
): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  const form = new FormData();
  const blob = await openAsBlob(file, { type: media.mime_type });
  form.append('image', blob, `${hash.digest('hex').slice(0, 40)}.${media.extension}`);
  form.append('type', 'input');
  if (inputSubfolder !== null) form.append('subfolder', inputSubfolder);
  form.append('overwrite', 'true');
  const timeoutMs = UPLOAD_TIMEOUT_MS;
  const response = await http.requestJson('/upload/image', { method: 'POST', body: form, signal, timeoutMs });
  const { name, subfolder } = parseComfyUiResponse(fileUploadedSchema, response);
  return inputSubfolder === null ? name : `${subfolder}/${name}`;
}

const savedFile = z.object({
  filename: z.string(),
  subfolder: z._default(z.string(), ''),
  type: z._default(z.string(), 'output'),
});
type SavedFile = z.infer<typeof savedFile>;

/** Lists the files of `output_node`, else of the last node that saved an output (previews only if none did). */
export function listPromptOutputs(outputs: ComfyUiHistoryEntry['outputs'], output_node: string | undefined): string[] {
  const nodes = output_node === undefined ? sortNodeOutputs(outputs) : [outputs[output_node] ?? {}];
  const files = nodes.map(findSavedFiles).filter((items) => items.length > 0);
  const permanent = files
    .map((items) => items.filter(({ type }) => type === 'output'))
    .filter(({ length }) => length > 0);
  return (permanent.at(-1) ?? files.at(-1) ?? []).map(viewPath);
}

const sortNodeOutputs = (outputs: ComfyUiHistoryEntry['outputs']): Record<string, unknown>[] =>
  Object.entries(outputs)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([, output]) => output);

/** Mostly under `images`; extensions use other names, such as `gifs`, `audio` and `video`. */
const findSavedFiles = (output: Record<string, unknown>): SavedFile[] =>
  Object.values(output)
    .flatMap((items) => (Array.isArray(items) ? items : []))
    .filter(isRecord)
    .flatMap((items) => savedFile.safeParse(items).data ?? []);

const viewPath = ({ filename, subfolder, type }: SavedFile): string =>
  `/view?${new URLSearchParams({ filename, subfolder, type }).toString()}`;
