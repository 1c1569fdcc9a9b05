import { expect, test } from 'vitest';
import type { EngineJob } from '../engine.ts';
import { jobSeed } from './input.ts';

const job = (generation_id: string, input: EngineJob['input']): EngineJob => ({
  generation_id,
  task: 'video.create',
  model: 'omni-video',
  input,
  references: [],
  work_dir: '',
  signal: new AbortController().signal,
  onProgress: () => undefined,
});

test('a seed of the input wins, else each generation has its own', () => {
  expect(jobSeed(job('gen_1', { seed: 7 }))).toBe(7);
  expect(jobSeed(job('gen_2', { seed: 7 }))).toBe(7);
  expect(jobSeed(job('gen_1', { seed: null }))).toBe(jobSeed(job('gen_1', {})));
  expect(jobSeed(job('gen_1', {}))).not.toBe(jobSeed(job('gen_2', {})));
});
