import { expect, test } from 'vitest';
import { sampleComfyUiWorkflow } from '#server/models/providers/comfyui/testing/comfyui-fixture.ts';
import { comfyUiOptions, replicateOptions } from './adapter-options.ts';

const problems = (options: unknown) =>
  comfyUiOptions.safeParse(options).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);

test('accepts an exported workflow with titles', () => {
  const titled = { ...sampleComfyUiWorkflow, '9': { ...sampleComfyUiWorkflow['9'], _meta: { title: 'Save' } } };
  const options = { workflow: titled, output_node: '9' };
  expect(comfyUiOptions.parse(options)).toEqual(options);
});

test.each([
  [{ workflow: { nodes: [], links: [], version: 0.4 } }, /^workflow is in the format of ComfyUI’s editor/],
  [{ workflow: sampleComfyUiWorkflow, output_node: '77' }, /^output_node must be the id of a node of the workflow$/],
  [{ workflow: { '1': { class_type: 'KSampler' } } }, /^workflow\.1\.inputs /],
])('reports invalid options: %#', (options, problem) => {
  expect(problems(options)).toEqual([expect.stringMatching(problem)]);
});

const version = 'a'.repeat(64);
const takes = (model: string): boolean => replicateOptions.safeParse({ model, request: '{}' }).success;

test.each(['black-forest-labs/flux-1.1-pro', `acme/painter:${version}`, version])('%s names a model', (model) => {
  expect(takes(model)).toBe(true);
});

test.each(['painter', 'acme/painter:latest', 'acme/painter/x', 'https://replicate.com/acme/painter', ''])(
  '%j names none',
  (model) => expect(takes(model)).toBe(false),
);
