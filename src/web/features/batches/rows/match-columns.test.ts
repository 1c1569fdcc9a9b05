import { describe, expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import {
  IGNORED_TARGET,
  looksLikeHeader,
  looksLikeTable,
  matchColumns,
  MODEL_TARGET,
  NAME_TARGET,
  tagTarget,
  targetLabel,
} from './match-columns.ts';

const contract = inputContract('image.create', 'imgmodel-b-2') ?? { fields: [], rules: [] };
const CLIENT = { name: 'client', label: 'Customer' };
const match = (columns: string[], chosen: Record<number, string> = {}) =>
  matchColumns(columns, { contract, has_models: true, tags: [CLIENT], chosen });

describe('matching columns to fields', () => {
  it('matches names and labels whatever their case and punctuation', () => {
    expect(match(['PROMPT', 'aspect-ratio', 'File format', 'Model', 'Notes', ''])).toEqual([
      'prompt',
      'aspect_ratio',
      'output_format',
      MODEL_TARGET,
      IGNORED_TARGET,
      IGNORED_TARGET,
    ]);
  });

  it('matches the tags of the organization', () => {
    expect(match(['prompt', 'CUSTOMER', 'client'])).toEqual(['prompt', tagTarget(CLIENT), IGNORED_TARGET]);
    expect(targetLabel(tagTarget(CLIENT), contract, [CLIENT])).toBe('Customer');
  });

  it('names files by a column of names or products, once', () => {
    expect(match(['Product', 'prompt', 'name'])).toEqual([NAME_TARGET, 'prompt', IGNORED_TARGET]);
    expect(match(['prompt', 'shot'], { 1: NAME_TARGET })).toEqual(['prompt', NAME_TARGET]);
    expect(targetLabel(NAME_TARGET, contract, [])).toBe('File name');
  });

  it('uses a field once', () => {
    expect(match(['prompt', 'Prompt'])).toEqual(['prompt', IGNORED_TARGET]);
  });

  it('prefers what a person chose', () => {
    expect(match(['prompt', 'text'], { 1: 'prompt' })).toEqual([IGNORED_TARGET, 'prompt']);
    expect(match(['prompt', 'resolution'], { 1: IGNORED_TARGET })).toEqual(['prompt', IGNORED_TARGET]);
  });

  it('forgets a choice that the task does not have', () => {
    expect(match(['prompt'], { 0: 'duration_seconds' })).toEqual(['prompt']);
  });

  it('has no model column for a task without models', () => {
    const tool = inputContract('video.trim', null) ?? { fields: [], rules: [] };
    expect(matchColumns(['model', 'video'], { contract: tool, has_models: false, tags: [], chosen: {} })).toEqual([
      IGNORED_TARGET,
      'video',
    ]);
  });

  it('knows a first line with names from one with values', () => {
    const hasHeader = (...rows: string[][]) =>
      looksLikeHeader(
        rows.map((cells) => ({ cells })),
        contract,
      );
    expect(hasHeader(['Prompt', 'Notes'])).toBe(true);
    expect(hasHeader(['A cat on a sofa', '1:1'], ['A dog on a sofa', '16:9'])).toBe(false);
    expect(hasHeader(['A cat on a sofa', '1K'], ['A dog on a sofa', '2K'])).toBe(false);
    expect(hasHeader(['Headline', 'Format'], ['A red ceramic mug, studio light', '1:1'])).toBe(true);
    expect(hasHeader(['Headline'], ['A red ceramic mug'], ['A blue ceramic mug'])).toBe(true);
    expect(hasHeader(['A yellow ceramic mug'], ['A red ceramic mug'], ['A blue ceramic mug'])).toBe(false);
    expect(hasHeader(['Cat', 'Sofa'])).toBe(false);
  });

  it('takes the only column of a table as the prompt', () => {
    expect(match(['Headline'])).toEqual(['prompt']);
    expect(match(['Headline', 'Format'])).toEqual([IGNORED_TARGET, IGNORED_TARGET]);
  });

  it('knows a pasted table from a list of prompts', () => {
    expect(looksLikeTable('A cat\t1:1', contract)).toBe(true);
    expect(looksLikeTable('prompt,aspect_ratio\nA cat,1:1\nA dog, asleep,1:1', contract)).toBe(true);
    expect(looksLikeTable('Headline;Format\nA cat, asleep;1:1', contract)).toBe(true);
    expect(looksLikeTable('A cat, asleep\nA dog, asleep', contract)).toBe(false);
    expect(looksLikeTable('A cat; asleep\nA dog', contract)).toBe(false);
    expect(looksLikeTable('Prompt\nA cat', contract)).toBe(false);
  });
});
