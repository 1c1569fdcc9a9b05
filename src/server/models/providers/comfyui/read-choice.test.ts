import { describe, expect, it } from 'vitest';
import type { TaskId } from '#contract/ids.ts';
import { validateWorkflow } from './read-choice.ts';

const node = (class_type: string, title: string, inputs: Record<string, unknown>) => ({
  class_type,
  inputs,
  _meta: { title },
});
const VALID = {
  '1': node('PrimitiveString', 'Prompt', { value: '' }),
  '2': node('LoadImage', 'image_1', { image: '' }),
};

describe('a pasted workflow', () => {
  const validate = (workflow: unknown, task: TaskId = 'image.create') =>
    validateWorkflow({
      task,
      model: 'imgmodel-a-2',
      markup_percent: null,
      workflow: typeof workflow === 'string' ? workflow : JSON.stringify(workflow),
    });

  it.each<[string, unknown, string]>([
    ['a text', 'paint a pear', 'The workflow is not JSON.'],
    ['half a file', '{"1": {"class_type": "Sav', 'The workflow is incomplete'],
    ['a list', [], 'This is not a workflow.'],
    ['nothing', {}, 'The workflow has no nodes.'],
    ['the format of the editor', { nodes: [], links: [] }, 'This is the format of ComfyUI’s editor'],
    ['something else', { name: 'x' }, 'This is not a workflow in API format: “name” is not a node.'],
    ['no prompt', { '1': node('SaveImage', 'Save', {}) }, 'The workflow has no place for the prompt.'],
    [
      'a title on a node without that input',
      { '1': node('SaveImage', 'prompt', { images: ['2', 0], filename_prefix: 'x' }) },
      'Node 1 (SaveImage) is titled “prompt”, but has no input for it. Its inputs are: filename_prefix.',
    ],
    [
      'a title on a node that passes a value on',
      { '1': node('CLIPTextEncode', 'prompt', { text: ['2', 0] }) },
      'Node 1 (CLIPTextEncode) is titled “prompt”, but takes that value from another node.',
    ],
    [
      'a broken placeholder',
      { '1': node('CLIPTextEncode', 'Text', { text: '{{ input.prompt' }) },
      'The workflow has a placeholder in node 1 (CLIPTextEncode) that has a {{ without its }}.',
    ],
  ])('is rejected with a reason: %s', (_name, workflow, sentence) => {
    expect(validate(workflow)).toContain(sentence);
  });

  it('is accepted with a title, or with a placeholder', () => {
    expect(validate(VALID, 'image.edit')).toBeNull();
    expect(validate({ '1': node('CLIPTextEncode', 'x', { text: '{{ input.prompt }}' }) })).toBeNull();
  });

  it('needs a place for the image of an edit', () => {
    expect(validate({ '1': node('CLIPTextEncode', 'prompt', { text: '' }) }, 'image.edit')).toContain('“image_1”');
  });
});
