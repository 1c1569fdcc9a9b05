import { expect, test } from 'vitest';
import { workflowProgress } from './workflow-progress.ts';

const workflow = { '1': { inputs: { steps: 8 } }, '2': { inputs: {} }, '3': { inputs: { steps: ['1', 0] } } };
const message = (nodes: object, prompt_id = 'p') =>
  JSON.stringify({ type: 'progress_state', data: { prompt_id, nodes } });
const node = (state: string, value = 0, max = 1) => ({ state, value, max });

test.each([
  ['no progress', {}, 0],
  ['steps', { '2': node('finished', 1), '1': node('running', 4, 8) }, 0.5],
  ['all done', { '1': node('finished'), '2': node('finished'), '3': node('finished') }, 1],
  ['nodes that other nodes expanded to', { '1': node('finished', 8, 8), '1.0.5': node('running', 1, 2) }, 0.8],
  ['a value above the maximum, and a maximum of 0', { '1': node('running', 9, 8), '2': node('running', 1, 0) }, 0.8],
])('computes the progress of %s', (_name, nodes, progress) => {
  expect(workflowProgress(message(nodes), 'p', workflow)?.fraction).toBe(progress);
});

test.each([
  ['of another prompt', message({}, 'other')],
  ['of another type', '{"type":"progress","data":{"value":1,"max":2,"prompt_id":"p"}}'],
  ['that is not JSON', 'pong'],
])('returns null for a message %s', (_name, text) => {
  expect(workflowProgress(text, 'p', workflow)).toBeNull();
});

test('names the node that runs by its title, else its class', () => {
  const titled = { '1': { class_type: 'KSampler', _meta: { title: 'Paint' } }, '2': { class_type: 'VAEDecode' } };
  const stage = (id: string) => workflowProgress(message({ [id]: node('running') }), 'p', titled)?.stage;
  expect([stage('1'), stage('2'), stage('3')]).toEqual(['Paint', 'VAEDecode', null]);
});
