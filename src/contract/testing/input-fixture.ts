import { inputContract } from '../catalog.ts';
import type { AnyModelId, BuiltInTaskId, TaskId } from '../ids.ts';
import { parseInput } from '../parse-input.ts';

export type TaskInput = Record<string, unknown>;
export const sampleReference = { url: 'https://example.com/a' };
export const repeatReference = (count: number) => Array.from({ length: count }, () => sampleReference);
export function requireContract(task: TaskId, model: AnyModelId | null) {
  const contract = inputContract(task, model);
  if (!contract) throw new Error(`no contract for ${task} ${model}`);
  return contract;
}
export const parseTaskInput = (task: TaskId, model: AnyModelId | null, input: unknown) =>
  parseInput(requireContract(task, model), input, null);
/** Returns the paths of rejected fields. */
export function rejectedPaths(task: TaskId, model: AnyModelId | null, input: unknown): string[] {
  const result = parseTaskInput(task, model, input);
  return result.ok ? [] : result.details.map(({ path }) => path);
}

/** The smallest valid input of each task. */
export const minimalInputs: Record<BuiltInTaskId, TaskInput> = {
  'image.create': { prompt: 'abc' },
  'image.edit': { prompt: 'abc', images: repeatReference(1) },
  'video.create': { prompt: 'abc' },
  'video.edit': { prompt: 'abc', video: sampleReference },
  'video.lipsync': { video: sampleReference, audio: sampleReference },
  'video.trim': { video: sampleReference, end_seconds: 1 },
  'video.concat': { videos: repeatReference(2) },
  'video.extract_frame': { video: sampleReference },
  'video.split_scenes': { video: sampleReference },
  'video.extract_audio': { video: sampleReference },
  'video.add_audio': { video: sampleReference, audio: sampleReference },
  'social.search': { platform: 'social_a', query: 'x' },
};
