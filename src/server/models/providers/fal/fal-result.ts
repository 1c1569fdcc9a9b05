import type { OutputHints } from '#contract/added-models/output-hints.ts';
import { TASKS } from '#contract/catalog.ts';
import type { Mapping } from '#server/models/engine/mapping/mapping.ts';
import { createMappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import type { UpstreamOutput } from '#server/models/engine/save-outputs.ts';
import { splitResult } from '#server/models/engine/split-result.ts';
import { contentRefusedError, isRecord } from '#server/models/engine/upstream-errors.ts';
import type { PolledJob } from '#server/models/engine/upstream.ts';
import { parseOutputs } from '#server/models/providers/http/job-result.ts';

/** Neither outputs nor data: the result is unreadable. */
export interface FalResult {
  outputs: readonly UpstreamOutput[];
  data: Record<string, unknown> | null;
}

const OUTPUT_FIELDS = {
  image: ['images', 'image'],
  video: ['video', 'videos'],
  audio: ['audio', 'audio_file'],
} as const;

/**
 * Reads the files of a result, without those that the safety checker blackened; none if unreadable.
 * @throws {EngineError} when the checker left no file, or the mapping fails
 */
export async function readFalOutputs(
  result: unknown,
  job: PolledJob,
  mapping: Mapping | undefined,
): Promise<UpstreamOutput[]> {
  if (mapping) return parseOutputs(await mapping(createMappingContext(job, { result }))) ?? [];
  if (!isRecord(result)) return [];
  const { media_type } = TASKS[job.task];
  const fields: readonly string[] = media_type === null ? [] : OUTPUT_FIELDS[media_type];
  const outputs =
    fields.map((field) => parseOutputs(result[field]) ?? []).find((candidates) => candidates.length > 0) ?? [];
  const flags = nsfwFlags(result);
  const safeOutputs = outputs.filter((_output, index) => flags[index] !== true);
  if (outputs.length > 0 && safeOutputs.length === 0) throw contentRefusedError(null);
  return safeOutputs;
}

const nsfwFlags = (result: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const flags = result['has_nsfw_concepts'];
  return Array.isArray(flags) ? flags : [];
};

/**
 * Reads a result of any shape, without the files that the safety checker blackened.
 * @param base_url of the queue
 * @throws {EngineError} when the checker left no file
 */
export function splitFalResult(result: unknown, base_url: string, { has_data }: OutputHints): FalResult {
  const flags = isRecord(result) ? nsfwFlags(result) : [];
  const isSafe = (_value: unknown, index: number) => flags[index] !== true;
  const safe = isRecord(result)
    ? Object.fromEntries(
        Object.entries(result).flatMap(([name, value]) => {
          if (name === 'has_nsfw_concepts') return [[name, value]];
          if (Array.isArray(value) && value.length === flags.length) return [[name, value.filter(isSafe)]];
          return isRecord(value) && 'url' in value && flags[0] === true ? [] : [[name, value]];
        }),
      )
    : result;
  const { urls, data } = splitResult(safe, base_url);
  if (urls.length === 0 && flags.includes(true)) throw contentRefusedError(null);
  const isResult = urls.length > 0 || has_data || data?.['other_files'] !== undefined;
  return { outputs: urls.map((url) => ({ url })), data: isResult ? data : null };
}
