import { expect, it } from 'vitest';
import type { ComfyCandidate } from '#contract/added-models/comfyui-schema.ts';
import type { TextFieldSpec } from '#contract/task.ts';
import { chosenInputs } from './chosen-inputs.ts';

const text = (name: string, label: string, value: string): TextFieldSpec => ({
  kind: 'text',
  name,
  label,
  group: 'main',
  nullable: true,
  default: value,
  min_length: 0,
  max_length: null,
  multiline: true,
});
const candidate = (node: string, field: TextFieldSpec | null): ComfyCandidate => ({
  node,
  input: 'text',
  node_title: 'CLIPTextEncode',
  class_type: 'CLIPTextEncode',
  field,
  reason: field ? null : 'It is a constant.',
});
const candidates = [
  candidate('6', text('text', 'Text', 'a pear')),
  candidate('7', text('text', 'Text', 'blurry')),
  candidate('8', null),
];

it('finds the inputs behind fields that the service named', () => {
  const contract = {
    fields: [text('negative_prompt', 'Negative prompt', 'blurry'), text('text', 'Text', 'a pear')],
    rules: [],
  };
  expect(chosenInputs({ contract, candidates })).toEqual([
    { node: '7', input: 'text', name: 'negative_prompt', label: 'Negative prompt' },
    { node: '6', input: 'text' },
  ]);
});

it('takes each input for one field', () => {
  const [first] = candidates;
  const same = [candidate('6', first?.field as TextFieldSpec), candidate('9', first?.field as TextFieldSpec)];
  const contract = { fields: [text('text_6', 'Text', 'a pear'), text('text_9', 'Text', 'a pear')], rules: [] };
  expect(chosenInputs({ contract, candidates: same }).map(({ node }) => node)).toEqual(['6', '9']);
});

it('leaves out fields that no input has', () => {
  expect(chosenInputs({ contract: { fields: [text('other', 'Other', 'x')], rules: [] }, candidates })).toEqual([]);
});
