import { asInputOf } from '#contract/task-input.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';

export const FAL_ENDPOINT_PATTERN = /^(?!.*(?:^|\/)(?:\.+|requests)(?:\/|$))[\w.-]+(\/[\w.-]+){1,7}$/;

export interface FalRequest {
  endpoint: string;
  input: Readonly<Record<string, unknown>>;
}

/** @param nameReference returns a placeholder that becomes the URL of the uploaded file @throws {EngineError} */
export type BuildFalRequest = (
  job: UpstreamEngineJob,
  nameReference: (reference: ResolvedReference) => string,
) => FalRequest;

/** The usual name for each reference; references in a list become a list. */
const REFERENCE_FIELDS: readonly [path: RegExp, name: string, isList: boolean][] = [
  [/^(images|reference_images)\.\d+$/, 'image_urls', true],
  [/^first_frame$/, 'image_url', false],
  [/^last_frame$/, 'end_image_url', false],
  [/^(video|reference_video)$/, 'video_url', false],
  [/^reference_videos\.\d+$/, 'video_urls', true],
  [/^audio$/, 'audio_url', false],
  [/^reference_audio\.\d+$/, 'audio_urls', true],
];

/** Values that mean the endpoint's own default, so they are left out. */
const AUTO_VALUES = ['auto', 'adaptive'];

export function buildCommonInput(
  job: UpstreamEngineJob,
  nameReference: (reference: ResolvedReference) => string,
): Record<string, unknown> {
  const { duration_seconds, ...plain } = asInputOf(job.task, job.input);
  const request: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(plain)) {
    const scalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    const isDefault = name !== 'prompt' && AUTO_VALUES.includes(String(value));
    if (scalar && !isDefault) request[name] = value;
  }
  if (duration_seconds !== undefined) request['duration'] = String(duration_seconds);
  for (const reference of job.references) {
    const [, name, isList] = REFERENCE_FIELDS.find(([path]) => path.test(reference.path)) ?? [];
    if (name === undefined) continue;
    const file = nameReference(reference);
    request[name] = isList ? [...[request[name] ?? []].flat(), file] : file;
  }
  return request;
}
