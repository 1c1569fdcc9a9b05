import { describe, expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import { IGNORED_TARGET, looksLikeHeader, matchColumns, MODEL_TARGET } from './match-columns.ts';

const contract = inputContract('image.create', 'imgmodel-b-2') ?? { fields: [], rules: [] };
const match = (columns: string[], chosen: Record<number, string> = {}) =>
  matchColumns(columns, { contract, has_models: true, chosen });

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
    expect(matchColumns(['model', 'video'], { contract: tool, has_models: false, chosen: {} })).toEqual([
      IGNORED_TARGET,
      'video',
    ]);
  });

  it('knows a first line with names from one with values', () => {
    expect(looksLikeHeader(['Prompt', 'Notes'], contract)).toBe(true);
    expect(looksLikeHeader(['A cat on a sofa', '1:1'], contract)).toBe(false);
  });
});
