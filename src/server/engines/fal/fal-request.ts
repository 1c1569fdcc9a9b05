import { asInputOf } from '#contract/task-input.ts';
import type { ResolvedReference } from '../engine.ts';
import type { UpstreamEngineJob } from '../upstream.ts';

/** Where a reference of ours goes at most endpoints; one that stands in a list, in a list. */
const REFERENCE_FIELDS: readonly [path: RegExp, name: string, many: boolean][] = [
  [/^(images|reference_images)\.\d+$/, 'image_urls', true],
  [/^first_frame$/, 'image_url', false],
  [/^last_frame$/, 'end_image_url', false],
  [/^(video|reference_video)$/, 'video_url', false],
  [/^reference_videos\.\d+$/, 'video_urls', true],
  [/^audio$/, 'audio_url', false],
  [/^reference_audio\.\d+$/, 'audio_urls', true],
];

/** Choices of ours that endpoints make where they are told nothing. */
const AUTO_VALUES = ['auto', 'adaptive'];

/** Our input under the names that most endpoints of fal share. */
export function buildFalRequest(
  job: UpstreamEngineJob,
  fileOf: (reference: ResolvedReference) => string,
): Record<string, unknown> {
  const { duration_seconds, ...plain } = asInputOf(job.task, job.input);
  const request: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(plain)) {
    const scalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    const open = name !== 'prompt' && AUTO_VALUES.includes(String(value));
    if (scalar && !open) request[name] = value;
  }
  if (duration_seconds !== undefined) request['duration'] = String(duration_seconds);
  for (const reference of job.references) {
    const [, name, many] = REFERENCE_FIELDS.find(([path]) => path.test(reference.path)) ?? [];
    if (name === undefined) continue;
    const file = fileOf(reference);
    request[name] = many ? [...[request[name] ?? []].flat(), file] : file;
  }
  return request;
}
