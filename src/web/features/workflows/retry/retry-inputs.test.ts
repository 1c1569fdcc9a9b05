import { expect, it } from 'vitest';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import { readWorkflowInput } from '#contract/workflows/workflow-input.ts';
import { changedInputs, changeLabel, failedInputs } from './retry-inputs.ts';

const audio = (title: string) => ({ type: 'object', 'x-media': 'audio', title });
const read = readWorkflowInput({
  type: 'object',
  properties: { voice: audio('Recording'), music: audio('Music'), pace: { enum: ['slow', 'fast'], default: 'slow' } },
  required: ['voice'],
});
const definition = (input: Record<string, unknown>): Pick<WorkflowDefinition, 'steps'> => ({
  steps: [{ key: 'speech', name: 'Speech', task: 'video.lipsync', input }],
});
const find = (code: string, input: Record<string, unknown>, given: Record<string, unknown>) => {
  if (!read.ok) throw new Error('The schema is not valid.');
  const error = { code, message: 'It failed.', retryable: false };
  const steps = [{ key: 'speech', status: 'failed', error }] as WorkflowRun['steps'];
  const starter = { definition: definition(input) as WorkflowDefinition };
  const { names, cause } = failedInputs({ steps, input: given }, starter, read.contract);
  return { names, label: changeLabel(cause) };
};
const voice = { url: 'https://a.example/a.mp3' };
const uses = { audio: '{{ input.voice }}', sync_mode: '{{ input.pace }}' };

it('names the one link that a step could not fetch', () => {
  expect(find('reference_unavailable', uses, { voice })).toEqual({
    names: ['voice', 'pace'],
    label: 'Change the recording and retry',
  });
});

it('names none where several media or another cause are possible', () => {
  const both = { ...uses, other: '{{ input.music }}' };
  expect(find('reference_unavailable', both, { voice, music: voice }).label).toBe('Change inputs and retry');
  expect(find('invalid_media', uses, { voice })).toEqual({
    names: ['voice', 'pace'],
    label: 'Change inputs and retry',
  });
});

it('returns the fields that differ, whatever the order of their keys', () => {
  const before = { voice: { url: 'https://a.example/a.mp3', role: 'x' }, style: 'bright', count: 2, leftOut: null };
  expect(
    changedInputs(before, { voice: { role: 'x', url: 'https://a.example/a.mp3' }, style: 'dark', count: 2 }),
  ).toEqual({ style: 'dark' });
});

it('returns null or an empty list for a field that was emptied', () => {
  const before = { portrait: { url: 'https://a.example/a.png' }, images: [{ url: 'https://a.example/b.png' }] };
  expect(changedInputs(before, { portrait: null })).toEqual({ portrait: null, images: [] });
});
