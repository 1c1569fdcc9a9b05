import type * as z from 'zod/mini';
import { toErrorDetails } from '#contract/api/error-details.ts';

export interface ValidationProblem {
  path: string;
  message: string;
}

/** Messages without a subject, which continue the path. */
const AFTER_PATH = /^(must|has|is) /;

/** @param locate maps the path of an issue to its place in the file */
export function toValidationProblems(
  issues: readonly z.core.$ZodIssue[],
  locate: (path: readonly PropertyKey[]) => string = (path) => path.map(String).join('.'),
): ValidationProblem[] {
  return issues.flatMap((issue) => {
    // Invalid record keys carry their reason in nested issues.
    const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? '') : issue.message;
    if (AFTER_PATH.test(message)) return [{ path: locate(issue.path), message }];
    if (issue.code === 'invalid_key') return [{ path: locate(issue.path), message: 'is unknown' }];
    return toErrorDetails([issue], '').map(({ path, message }) => ({
      path: locate(issue.code === 'unrecognized_keys' ? path.split('.') : issue.path),
      message,
    }));
  });
}

export function formatProblem({ path, message }: ValidationProblem): string {
  const ended = /[.!?]$/.test(message) ? message : `${message}.`;
  if (path === '') return ended;
  return AFTER_PATH.test(message) ? `${path} ${ended}` : `${path}: ${ended}`;
}
