import * as z from 'zod/mini';
import { isRecord } from '../upstream-errors.ts';
import type { ComfyUiHistoryEntry } from './comfyui-schemas.ts';

const savedFile = z.object({
  filename: z.string(),
  subfolder: z._default(z.string(), ''),
  type: z._default(z.string(), 'output'),
});
type SavedFile = z.infer<typeof savedFile>;

/**
 * Lists the files of one node as paths of `/view`: of `output_node`, else of the last node by number that saved an
 * output. Previews count only when no node saved an output.
 */
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
