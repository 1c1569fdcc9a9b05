import { TASKS } from '#contract/catalog.ts';
import { parseOutputs } from '../http/parse-response.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { createMappingContext } from '../mapping/mapping-context.ts';
import type { UpstreamOutput } from '../save-outputs.ts';
import type { PolledJob } from '../upstream.ts';
import { contentRefusedError, isRecord } from '../upstream-errors.ts';

/** Where endpoints put their files, by what a task makes. */
const OUTPUT_FIELDS = {
  image: ['images', 'image'],
  video: ['video', 'videos'],
  audio: ['audio', 'audio_file'],
} as const;

/**
 * The files of an endpoint's answer, without those that its safety checker blackened.
 * @param mapping gives an address or a list of them; reads `result` beside the job
 * @returns none where there are none, or they can't be understood
 * @throws {EngineError} where the checker left nothing, or the mapping fails
 */
export async function falOutputs(
  result: unknown,
  job: PolledJob,
  mapping: Mapping | undefined,
): Promise<UpstreamOutput[]> {
  if (mapping) return parseOutputs(await mapping(createMappingContext(job, { result }))) ?? [];
  if (!isRecord(result)) return [];
  const { media_type } = TASKS[job.task];
  const fields: readonly string[] = media_type === null ? [] : OUTPUT_FIELDS[media_type];
  const found = fields.map((field) => parseOutputs(result[field]) ?? []).find((outputs) => outputs.length > 0) ?? [];
  const flags = result['has_nsfw_concepts'];
  const kept = Array.isArray(flags) ? found.filter((_output, index) => flags[index] !== true) : found;
  if (found.length > 0 && kept.length === 0) throw contentRefusedError(null);
  return kept;
}
