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
  const safe = withoutBlackened(result);
  const outputs =
    fields.map((field) => parseOutputs(safe[field]) ?? []).find((candidates) => candidates.length > 0) ?? [];
  assertNotRefused(result, outputs);
  return outputs;
}

/**
 * Reads a result of any shape, without the files that the safety checker blackened.
 * @param baseUrl of the queue
 * @throws {EngineError} when the checker left no file
 */
export function splitFalResult(result: unknown, baseUrl: string, { has_data }: OutputHints): FalResult {
  const { urls, data } = splitResult(isRecord(result) ? withoutBlackened(result) : result, baseUrl);
  assertNotRefused(result, urls);
  const isResult = urls.length > 0 || has_data || data?.['other_files'] !== undefined;
  return { outputs: urls.map((url) => ({ url })), data: isResult ? data : null };
}

/** Whether the safety checker blackened a file, by its position. */
function nsfwFlags(result: unknown): readonly unknown[] {
  const flags = isRecord(result) ? result['has_nsfw_concepts'] : undefined;
  return Array.isArray(flags) ? flags : [];
}

function assertNotRefused(result: unknown, files: readonly unknown[]): void {
  if (files.length === 0 && nsfwFlags(result).includes(true)) throw contentRefusedError(null);
}

const isFile = (value: unknown): boolean =>
  isRecord(value) ? 'url' in value : typeof value === 'string' && URL.canParse(value);

function withoutBlackened(result: Record<string, unknown>): Record<string, unknown> {
  const flags = nsfwFlags(result);
  const isSafe = (value: unknown, index = 0) => flags[index] !== true || !isFile(value);
  const safe = Object.entries(result).filter(([, value]) => isSafe(value));
  return Object.fromEntries(
    safe.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter((item: unknown, index) => isSafe(item, index)) : value,
    ]),
  );
}
