import { inputContract } from './catalog.ts';
import type { ModelId, TaskId } from './ids.ts';
import { parseInput } from './parse-input.ts';

export type Input = Record<string, unknown>;
export const media = { url: 'https://example.com/a' };
export const many = (count: number) => Array.from({ length: count }, () => media);
export function contractOf(task: TaskId, model: ModelId | null) {
  const contract = inputContract(task, model);
  if (!contract) throw new Error(`no contract for ${task} ${model}`);
  return contract;
}
export const parse = (task: TaskId, model: ModelId | null, input: unknown) =>
  parseInput(contractOf(task, model), input, null);
/** The paths of what is refused. */
export function refused(task: TaskId, model: ModelId | null, input: unknown): string[] {
  const result = parse(task, model, input);
  return result.ok ? [] : result.details.map(({ path }) => path);
}

/** The least that each task takes. */
export const required: Record<TaskId, Input> = {
  'image.create': { prompt: 'abc' },
  'image.edit': { prompt: 'abc', images: many(1) },
  'video.create': { prompt: 'abc' },
  'video.edit': { prompt: 'abc', video: media },
  'video.lipsync': { video: media, audio: media },
  'video.trim': { video: media, end_seconds: 1 },
  'video.concat': { videos: many(2) },
  'video.extract_frame': { video: media },
  'video.split_scenes': { video: media },
  'video.extract_audio': { video: media },
  'video.add_audio': { video: media, audio: media },
  'social.search': { platform: 'social_a', query: 'x' },
};
