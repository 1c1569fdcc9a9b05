import { expect, test } from 'vitest';
import { comfyUiOptions } from './comfyui-options.ts';
import { sampleComfyUiWorkflow } from '../testing/comfyui-fixture.ts';

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
