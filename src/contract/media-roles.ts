import { wordsOf } from './added-models/fields/describe-field.ts';
import { extractReferences, type InputReference } from './task-input.ts';
import type { FieldSpec, InputContract } from './task.ts';

/** Words for media that only say how to work on another one: a mask, a style, a voice. */
const GUIDE_WORDS = new Set([
  'adapter',
  'background',
  'canny',
  'cloth',
  'clothes',
  'clothing',
  'conditioning',
  'control',
  'depth',
  'end',
  'garment',
  'guidance',
  'guide',
  'last',
  'lora',
  'mask',
  'pose',
  'product',
  'ref',
  'reference',
  'references',
  'sketch',
  'speaker',
  'style',
  'subject',
  'swap',
  'tail',
  'voice',
]);

/** @param path of a field, or of a reference in it */
const isGuide = (path: string): boolean => wordsOf(path).some((word) => GUIDE_WORDS.has(word));

/** What a model works on comes first: required before optional media, and those that only guide it last. */
export const rankMediaField = (field: FieldSpec, path: string = field.name): number =>
  (isGuide(path) ? 2 : 0) + ('required' in field && field.required ? 0 : 1);

export interface RankedReference extends InputReference {
  /** The lower, the likelier the model works on it. */
  rank: number;
  is_guide: boolean;
}

/** The media references of an input, in the order of its fields. What a field is called differs from model to model. */
export function rankReferences(contract: InputContract, input: Readonly<Record<string, unknown>>): RankedReference[] {
  const fields = new Map(contract.fields.map((field) => [field.name, field]));
  return extractReferences(contract, input).map((reference) => {
    const { path } = reference;
    const field = fields.get(path.split('.')[0] ?? '');
    return { ...reference, rank: field ? rankMediaField(field, path) : 0, is_guide: isGuide(path) };
  });
}
