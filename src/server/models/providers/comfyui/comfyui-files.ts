import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { RESULT_LIMITS } from '#contract/added-models/schema-limits.ts';
import { kindOfName } from '#contract/added-models/walk-result.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { saveOutputs } from '#server/models/engine/save-outputs.ts';
import { isRecord } from '#server/models/engine/upstream-errors.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import type { PolledJob, UpstreamState } from '#server/models/engine/upstream.ts';
import type { RemoteService } from '#server/platform/net/remote-service.ts';
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

export interface PromptOutputOptions {
  output_node?: string | undefined;
  /** Takes what every node saved, texts too; otherwise the files of the last one. */
  takes_all_outputs?: boolean | undefined;
  max_output_bytes?: number | undefined;
}

/**
 * Saves what a prompt made: the files of `output_node`, else those that nodes saved (previews only if none did).
 * @throws like `saveOutputs`
 */
export async function savePromptOutputs(
  http: UpstreamHttp,
  { base_url }: Pick<RemoteService, 'base_url'>,
  outputs: ComfyUiHistoryEntry['outputs'],
  job: PolledJob,
  { output_node, takes_all_outputs = false, max_output_bytes }: PromptOutputOptions,
): Promise<UpstreamState> {
  const nodes = output_node === undefined ? sortNodeOutputs(outputs) : [outputs[output_node] ?? {}];
  const saved = nodes.map(findSavedFiles).filter((items) => items.length > 0);
  const permanent = saved
    .map((items) => items.filter(({ type }) => type === 'output'))
    .filter(({ length }) => length > 0);
  const all = permanent.length > 0 ? permanent : saved;
  const found = takes_all_outputs ? all.flat() : (all.at(-1) ?? []);
  const isOther = ({ filename }: SavedFile) => takes_all_outputs && kindOfName(filename) === 'file';
  const others = found
    .filter(isOther)
    .slice(0, RESULT_LIMITS.files)
    .map((file) => ({ name: file.filename, url: base_url + viewPath(file) }));
  const texts = takes_all_outputs ? findTexts(nodes) : [];
  if (found.length === 0 && texts.length === 0)
    return { status: 'unclear', reason: noOutputMessage(output_node), result: null };
  const urls = found.filter((file) => !isOther(file)).map((file) => ({ url: viewPath(file) }));
  const files = await saveOutputs(http, urls, job, max_output_bytes);
  const data = {
    ...(texts.length > 0 ? { texts } : {}),
    ...(others.length > 0 ? { other_files: others } : {}),
  };
  const result = { files, data: Object.keys(data).length > 0 ? data : null };
  return { status: 'succeeded', result, cost_micro_usd: null };
}

const noOutputMessage = (node: string | undefined): string =>
  node === undefined
    ? 'ComfyUI reported success, but no node saved a file.'
    : `ComfyUI reported success, but node ${node} saved no file.`;

const sortNodeOutputs = (outputs: ComfyUiHistoryEntry['outputs']): Record<string, unknown>[] =>
  Object.entries(outputs)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([, output]) => output);

const itemsOf = (output: object): unknown[] =>
  Object.values(output).flatMap((items): unknown[] => (Array.isArray(items) ? items : []));

/** Mostly under `images`; extensions use other names, such as `gifs`, `audio` and `video`. */
const findSavedFiles = (output: Record<string, unknown>): SavedFile[] =>
  itemsOf(output)
    .filter(isRecord)
    .flatMap((items) => savedFile.safeParse(items).data ?? []);

/** What nodes such as Preview Any show. */
function findTexts(nodes: readonly Record<string, unknown>[]): string[] {
  let left: number = RESULT_LIMITS.data_characters;
  return itemsOf(nodes.map(({ text }) => text)).flatMap((text) => {
    if (typeof text !== 'string' || left === 0) return [];
    const cut = text.slice(0, left);
    left -= cut.length;
    return [cut];
  });
}

const viewPath = ({ filename, subfolder, type }: SavedFile): string =>
  `/view?${new URLSearchParams({ filename, subfolder, type }).toString()}`;
