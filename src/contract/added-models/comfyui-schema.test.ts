import { describe, expect, it } from 'vitest';
import { listComfyCandidates } from './comfyui-candidates.ts';
import { normalizeComfyWorkflow } from './comfyui-schema.ts';

const workflow = {
  3: {
    class_type: 'KSampler',
    inputs: { seed: 1_040_111_309_094_545, steps: 20, cfg: 8, sampler_name: 'euler', model: ['4', 0] },
  },
  4: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'own.safetensors' } },
  6: { class_type: 'CLIPTextEncode', inputs: { text: 'a cat', clip: ['4', 1] }, _meta: { title: 'Positive prompt' } },
  7: { class_type: 'CLIPTextEncode', inputs: { text: 'blurry', clip: ['4', 1] }, _meta: { title: 'Negative prompt' } },
  8: { class_type: 'LoadImage', inputs: { image: 'example.png' } },
  9: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'out' } },
  10: { class_type: 'CustomNode', inputs: { curve: { points: [] }, strength: 1 } },
};
const objectInfo = {
  KSampler: {
    input: {
      required: {
        seed: ['INT', { default: 0, min: 0, max: 18_446_744_073_709_552_000 }],
        steps: ['INT', { min: 1, max: 10_000, tooltip: 'How many steps.' }],
        cfg: ['FLOAT', { min: 0, max: 100 }],
        sampler_name: [['euler', 'heun']],
        model: ['MODEL'],
      },
    },
  },
  CheckpointLoaderSimple: { input: { required: { ckpt_name: ['COMBO', { options: ['other.safetensors'] }] } } },
  CLIPTextEncode: { input: { required: { text: ['STRING', { multiline: true }], clip: ['CLIP'] } } },
  LoadImage: { input: { required: { image: [['example.png'], { image_upload: true }] } } },
  SaveImage: { input: { required: { images: ['IMAGE'], filename_prefix: ['STRING', {}] } }, output_node: true },
};

describe('listComfyCandidates', () => {
  it('offers every file of a server, the one of the workflow too', () => {
    const options = Array.from({ length: 3_000 }, (_, at) => `style-${at}.safetensors`);
    const info = { LoraLoader: { input: { required: { lora_name: [options] } } } };
    const node = (lora_name: string) => ({ 1: { class_type: 'LoraLoader', inputs: { lora_name } } });
    expect(listComfyCandidates(node('style-2999.safetensors'), info)[0]?.field).toMatchObject({
      kind: 'choice',
      options,
      default: 'style-2999.safetensors',
    });
    expect(listComfyCandidates(node('own.safetensors'), info)[0]?.field).toMatchObject({ default: 'own.safetensors' });
  });

  it('lists the values of all nodes with the kind that their nodes say, and no links', () => {
    const candidates = listComfyCandidates(workflow, objectInfo);
    const shown = Object.fromEntries(candidates.map(({ node, input, field }) => [`${node}.${input}`, field]));
    expect(shown).toMatchObject({
      '3.seed': { kind: 'integer', min: 0, max: null, nullable: true, default: null },
      '3.steps': { kind: 'integer', min: 1, max: 10_000, default: 20, help: 'How many steps.' },
      '3.cfg': { kind: 'number', default: 8 },
      '3.sampler_name': { kind: 'choice', options: ['euler', 'heun'], default: 'euler' },
      '4.ckpt_name': { kind: 'choice', options: ['own.safetensors', 'other.safetensors'], default: 'own.safetensors' },
      '6.text': { kind: 'text', label: 'Positive prompt', multiline: true, default: 'a cat' },
      '8.image': { kind: 'reference', media: 'image', required: true },
      '10.curve': null,
      '10.strength': { kind: 'number', default: 1 },
    });
    expect(candidates.find(({ input }) => input === 'curve')?.reason).toBe('Its value is an object or a list.');
    expect(shown['3.model']).toBeUndefined();
  });
});

describe('normalizeComfyWorkflow', () => {
  it('makes fields of the chosen inputs', async () => {
    const model = await normalizeComfyWorkflow(workflow, objectInfo, [
      { node: '6', input: 'text', name: 'prompt', label: 'Prompt' },
      { node: '7', input: 'text' },
      { node: '3', input: 'seed' },
    ]);
    expect(model.contract.fields.map(({ name, label }) => [name, label])).toEqual([
      ['prompt', 'Prompt'],
      ['text_7', 'Negative prompt'],
      ['seed', 'Seed'],
    ]);
    expect(model.targets).toMatchObject({ prompt: { node: '6', input: 'text' }, seed: { node: '3', input: 'seed' } });
    expect(model.output.files).toEqual([{ path: '9', kind: 'image', many: true }]);
  });

  it('rejects inputs that are links, unknown or named twice, and other files', async () => {
    const choose = (...chosen: { node: string; input: string; name?: string }[]) =>
      normalizeComfyWorkflow(workflow, objectInfo, chosen);
    await expect(choose({ node: '3', input: 'model' })).rejects.toThrow('cannot be a field');
    await expect(choose({ node: '99', input: 'seed' })).rejects.toThrow('cannot be a field');
    await expect(
      choose({ node: '3', input: 'seed', name: 'a' }, { node: '3', input: 'cfg', name: 'a' }),
    ).rejects.toThrow('two fields');
    await expect(choose({ node: '3', input: 'seed', name: '__proto__' })).rejects.toThrow('or of none');
    await expect(normalizeComfyWorkflow({ nodes: [] }, {}, [])).rejects.toThrow('Export (API)');
    await expect(normalizeComfyWorkflow({ 1: { class_type: 1 } }, {}, [])).rejects.toThrow('not a node');
  });
});
