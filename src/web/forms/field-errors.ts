import type { FieldError } from 'react-hook-form';
import type { ErrorDetail } from '#contract/errors.ts';

/**
 * Where an error comes from: the contract's validator; a rule between fields, which `RuleNotice` shows; or the service,
 * whose errors stay until their field changes.
 */
type FieldErrorType = 'contract' | 'rule' | 'server';

/** The name of the field that a detail is about (`input.images.2.url` → `images`); empty when it names none. */
export const detailField = ({ path }: ErrorDetail): string => /^inputs?\.([^.]+)/.exec(path)?.[1] ?? '';

/**
 * One field's error as react-hook-form keeps it: the first message, and in `types` the first message of each path below
 * the field (`2.url`), with an empty path for the field as a whole. Undefined for no details.
 */
export function toFieldError(type: FieldErrorType, details: readonly ErrorDetail[]): FieldError | undefined {
  const [first] = details;
  if (!first) return undefined;
  const types: Record<string, string> = {};
  for (const { path, message } of details) types[path.split('.').slice(2).join('.')] ??= message;
  return { type, message: first.message, types };
}

export const hasSameMessages = (a: FieldError | undefined, b: FieldError | undefined): boolean =>
  a?.type === b?.type && JSON.stringify(a?.types) === JSON.stringify(b?.types);

/** The error of one item of a list; undefined when it has none. */
export function itemError(error: FieldError | undefined, at: number): string | undefined {
  const [, message] = Object.entries(error?.types ?? {}).find(([path]) => path.split('.')[0] === String(at)) ?? [];
  return typeof message === 'string' ? message : undefined;
}

/** The error of a list as a whole. */
export function listError(error: FieldError | undefined): string | undefined {
  const message = error?.types?.[''];
  return typeof message === 'string' ? message : undefined;
}
