import * as z from 'zod/mini';

/** Controls, line and paragraph separators, what changes the reading direction, and halves of characters. */
const ONE_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u;
const BREAKS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

const isOneLine = () =>
  z.regex(ONE_LINE, 'Enter one line, without characters that are invisible or change the reading direction.');

/** Like `line`, where the text may be left empty. */
export const optionalLine = (max: number) => z.string().check(z.trim(), z.maxLength(max), isOneLine());

/** A text of one line that people type, such as a name. It can't imitate the text beside it or change its direction. */
export const line = (max: number) =>
  optionalLine(max).check(
    z.minLength(1, { abort: true }),
    z.regex(VISIBLE, 'Enter at least one letter, digit or sign.'),
  );

/** Makes a name of another service one that `line` accepts; empty: nothing visible is left. */
export function cleanName(text: unknown, max: number): string {
  if (typeof text !== 'string') return '';
  const name = text
    .slice(0, 4 * max)
    .replaceAll(BREAKS, ' ')
    .trim();
  if (!VISIBLE.test(name)) return '';
  return name.length <= max
    ? name
    : name
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd();
}
