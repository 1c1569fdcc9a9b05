import type { ErrorDetail } from '#contract/errors.ts';

/** The problem to say of a field; undefined where there is none. */
export const firstProblem = (problems: readonly ErrorDetail[]): string | undefined => problems[0]?.message;

/** The problem of one item of a list (`input.images.2.url`); undefined where it has none. */
export const itemProblem = (problems: readonly ErrorDetail[], at: number): string | undefined =>
  problems.find(({ path }) => path.split('.')[2] === String(at))?.message;

/** The problems of a list as a whole. */
export const listProblem = (problems: readonly ErrorDetail[]): string | undefined =>
  problems.find(({ path }) => path.split('.').length === 2)?.message;
