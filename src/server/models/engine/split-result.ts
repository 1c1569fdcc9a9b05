import { isJson } from '#contract/json-value.ts';
import { walkResult } from '#contract/added-models/walk-result.ts';
import { MAX_OUTPUTS } from './save-outputs.ts';

interface SplitResult {
  /** Of files that the library can hold, or whose kind their bytes decide. */
  urls: string[];
  data: Record<string, unknown> | null;
}

/**
 * Separates the files of an added model's result, of any shape, from its data. Files that the library does not hold are
 * listed there as `other_files`, and a result that is no object is its `output`.
 * @param baseUrl of the provider's server
 */
export function splitResult(result: unknown, baseUrl: string): SplitResult {
  const { files, data } = walkResult(result, new URL(baseUrl).origin);
  const saved = files.filter(({ kind }) => kind !== 'file').slice(0, MAX_OUTPUTS);
  const otherFiles = files
    .filter((file) => !saved.includes(file))
    .map(({ url, file_name }) => ({ name: file_name ?? nameOf(url), url }));
  const all = {
    ...(isJson(data) ? data : data === undefined ? {} : { output: data }),
    ...(otherFiles.length > 0 ? { other_files: otherFiles } : {}),
  };
  return { urls: saved.map(({ url }) => url), data: Object.keys(all).length > 0 ? all : null };
}

const nameOf = (url: string): string => URL.parse(url)?.pathname.split('/').at(-1) || 'file';
