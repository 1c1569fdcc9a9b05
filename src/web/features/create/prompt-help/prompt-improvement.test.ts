import { describe, expect, it } from 'vitest';
import { addReplacement, findReplacement } from './prompt-improvement.ts';

const FIRST = { before: ' a teapot\n', after: 'A blue teapot' };
const SECOND = { before: 'A blue teapot', after: 'A blue teapot in the sun' };

describe('an improved prompt', () => {
  it('is taken back to exactly what was typed, one improvement after the other', () => {
    const replacements = addReplacement(addReplacement([], FIRST), SECOND);
    expect(findReplacement(replacements, SECOND.after)?.before).toBe('A blue teapot');
    expect(findReplacement(replacements, 'A blue teapot')?.before).toBe(' a teapot\n');
  });

  it('is not taken back over later changes', () => {
    expect(findReplacement([FIRST], 'A blue teapot and a cup')).toBeNull();
    expect(findReplacement([FIRST], 'A blue teapot')).toBe(FIRST);
  });

  it('has nothing to take back where it is what was typed', () => {
    expect(addReplacement([FIRST], { before: 'A teapot', after: 'A teapot' })).toEqual([FIRST]);
  });
});
