import type { ErrorDetail } from '#contract/errors.ts';

const MAX_DEPTH = 64;
const MAX_DETAILS = 20;

/**
 * What no schema names but no field may hold, as rows of an error response: text that a database can't store (NUL, half
 * a character), numbers beyond all bounds, nesting without end, keys that reach into prototypes.
 */
export function textProblems(value: unknown, path = ''): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const rest: { value: unknown; path: string; depth: number }[] = [{ value, path, depth: 0 }];
  for (let next = rest.pop(); next && details.length < MAX_DETAILS; next = rest.pop()) {
    const message = problemOf(next.value, next.depth);
    if (message) details.push({ path: next.path, message });
    else if (typeof next.value === 'object' && next.value !== null) {
      for (const [key, child] of Object.entries(next.value)) {
        const problem = key === '__proto__' ? 'This name is not allowed.' : textProblem(key);
        const below = next.path === '' ? shown(key) : `${next.path}.${shown(key)}`;
        if (problem) details.push({ path: below, message: problem });
        else rest.push({ value: child, path: below, depth: next.depth + 1 });
      }
    }
  }
  return details;
}

function problemOf(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return textProblem(value);
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'This number is too large.';
  return depth > MAX_DEPTH ? 'This is nested too deeply.' : null;
}

function textProblem(text: string): string | null {
  if (text.includes('\u0000')) return 'This text holds a character (NUL) that can’t be stored.';
  return text.isWellFormed() ? null : 'This text holds half of a character that can’t be stored.';
}

/** A name from outside, fit to be shown. */
const shown = (key: string) => key.replaceAll('\u0000', '').toWellFormed().slice(0, 80);
