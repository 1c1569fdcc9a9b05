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
 * The files of one node of a prompt that has ended, as paths of `/view`: of the node that is named, else of the last,
 * by its number, that saved something for good; previews count where nothing else is.
 */
export function listPromptOutputs(outputs: ComfyUiHistoryEntry['outputs'], output_node: string | undefined): string[] {
  const nodes = output_node === undefined ? sortNodeOutputs(outputs) : [outputs[output_node] ?? {}];
  const files = nodes.map(findSavedFiles).filter((found) => found.length > 0);
  const lasting = files
    .map((found) => found.filter(({ type }) => type === 'output'))
    .filter(({ length }) => length > 0);
  return (lasting.at(-1) ?? files.at(-1) ?? []).map(viewPath);
}

/** Nodes of a subgraph are called `12:3`. */
const sortNodeOutputs = (outputs: ComfyUiHistoryEntry['outputs']): Record<string, unknown>[] =>
  Object.entries(outputs)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([, output]) => output);

/** Under `images` mostly; extensions use names of their own: `gifs`, `audio`, `video`. */
const findSavedFiles = (output: Record<string, unknown>): SavedFile[] =>
  Object.values(output)
    .flatMap((found) => (Array.isArray(found) ? found : []))
    .filter(isRecord)
    .flatMap((found) => savedFile.safeParse(found).data ?? []);

const viewPath = ({ filename, subfolder, type }: SavedFile): string =>
  `/view?${new URLSearchParams({ filename, subfolder, type }).toString()}`;
