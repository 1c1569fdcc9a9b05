import type * as z from 'zod/mini';
import { toErrorDetails } from '#contract/error-details.ts';

/** What is wrong with the file: where, dotted, and a sentence. */
export interface ValidationProblem {
  path: string;
  message: string;
}

/** Messages that stand after a path, rather than by themselves. */
const AFTER_PATH = /^(must|has|is) /;

/** Zod's issues as sentences. @param locate where an issue stands in the file, if not at its own path */
export function toValidationProblems(
  issues: readonly z.core.$ZodIssue[],
  locate: (path: readonly PropertyKey[]) => string = (path) => path.map(String).join('.'),
): ValidationProblem[] {
  return issues.flatMap((issue) => {
    // The key of a record: its own issues say what is wrong.
    const said = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? '') : issue.message;
    if (AFTER_PATH.test(said)) return [{ path: locate(issue.path), message: said }];
    if (issue.code === 'invalid_key') return [{ path: locate(issue.path), message: 'is unknown' }];
    return toErrorDetails([issue], '').map(({ path, message }) => ({
      path: locate(issue.code === 'unrecognized_keys' ? path.split('.') : issue.path),
      message,
    }));
  });
}

/** One line of the list that a person reads: `prices.0.task: Task is required.` */
export function formatProblem({ path, message }: ValidationProblem): string {
  const ended = /[.!?]$/.test(message) ? message : `${message}.`;
  if (path === '') return ended;
  return AFTER_PATH.test(message) ? `${path} ${ended}` : `${path}: ${ended}`;
}
