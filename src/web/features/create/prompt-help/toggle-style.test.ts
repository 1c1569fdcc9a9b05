import { expect, it } from 'vitest';
import { PROMPT_STYLES } from './prompt-styles.ts';
import { addStyle, hasStyle, removeStyle } from './toggle-style.ts';

const WORDS = 'oil painting';

it.each([
  ['', 'oil painting'],
  ['A fox', 'A fox, oil painting'],
  ['A fox, ', 'A fox, oil painting'],
  ['A fox sleeps.', 'A fox sleeps. Oil painting.'],
])('adds the words of a style to “%s”', (prompt, styled) => {
  expect(addStyle(prompt, WORDS)).toBe(styled);
  expect(hasStyle(styled, WORDS)).toBe(true);
  expect(removeStyle(styled, WORDS)).toBe(prompt.replace(/, $/, ''));
});

it('removes the words wherever they are', () => {
  expect(removeStyle('An Oil Painting, a fox', WORDS)).toBe('An, a fox');
  expect(removeStyle('Oil painting, a fox', WORDS)).toBe('a fox');
  expect(removeStyle('A fox, oil painting, at dusk', WORDS)).toBe('A fox, at dusk');
  expect(removeStyle('A fox', WORDS)).toBe('A fox');
});

it('takes no part of a longer word for a style', () => {
  expect(hasStyle('A foil paintings show', WORDS)).toBe(false);
});

it('offers twelve styles, none of which contains another', () => {
  expect(PROMPT_STYLES).toHaveLength(12);
  for (const { words } of PROMPT_STYLES) {
    expect(PROMPT_STYLES.filter((other) => hasStyle(words, other.words)).map((other) => other.words)).toEqual([words]);
  }
});
