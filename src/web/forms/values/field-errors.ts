import type { FieldError } from 'react-hook-form';
import type { ErrorDetail } from '#contract/api/errors.ts';

/** `RuleNotice` shows errors of rules. Errors of the server stay until their field changes. */
type FieldErrorType = 'contract' | 'rule' | 'server';

/** `input.images.2.url` → `images`, `metadata.client` as it is; empty if the path names no field. */
export function detailField({ path }: ErrorDetail): string {
  const [, input, tag] = /^(?:inputs?\.([^.]+)|(metadata\.[^.]+))/.exec(path) ?? [];
  return input ?? tag ?? '';
}

/** `types` has the first message of each path below the field (`2.url`); the empty path is the field as a whole. */
export function toFieldError(type: FieldErrorType, details: readonly ErrorDetail[]): FieldError | undefined {
  const [first] = details;
  if (!first) return undefined;
  const types: Record<string, string> = {};
  for (const { path, message } of details) types[path.split('.').slice(2).join('.')] ??= message;
  return { type, message: first.message, types };
}

export const hasSameMessages = (a: FieldError | undefined, b: FieldError | undefined): boolean =>
  a?.type === b?.type && JSON.stringify(a?.types) === JSON.stringify(b?.types);

export function itemError(error: FieldError | undefined, at: number): string | undefined {
  const [, message] = Object.entries(error?.types ?? {}).find(([path]) => path.split('.')[0] === String(at)) ?? [];
  return typeof message === 'string' ? message : undefined;
}

export function listError(error: FieldError | undefined): string | undefined {
  const message = error?.types?.[''];
  return typeof message === 'string' ? message : undefined;
}
