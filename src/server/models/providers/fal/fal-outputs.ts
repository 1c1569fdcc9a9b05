import { TASKS } from '#contract/catalog.ts';
import { parseOutputs } from '#server/models/providers/http/job-result.ts';
import type { Mapping } from '#server/models/engine/mapping/mapping.ts';
import { createMappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import type { UpstreamOutput } from '#server/models/engine/save-outputs.ts';
import type { PolledJob } from '#server/models/engine/upstream.ts';
import { contentRefusedError, isRecord } from '#server/models/engine/upstream-errors.ts';

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
  const flags = result['has_nsfw_concepts'];
  const safe_outputs = Array.isArray(flags) ? outputs.filter((_output, index) => flags[index] !== true) : outputs;
  if (outputs.length > 0 && safe_outputs.length === 0) throw contentRefusedError(null);
  return safe_outputs;
}
