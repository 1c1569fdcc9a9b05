import type { FieldError } from 'react-hook-form';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import type { FormValues } from './form-values.ts';

/** Names of fields inside of another: `loras/0/scale`. Names of contracts have no slash. */
const SEPARATOR = '/';

export const nestedName = (...parts: readonly (string | number)[]): string => parts.join(SEPARATOR);

/** The field of the contract that a name belongs to, and the way below it. */
export function splitName(name: string): { top: string; path: readonly string[] } {
  const [top = '', ...path] = name.split(SEPARATOR);
  return { top, path };
}

const childOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

export function readPath(values: FormValues, name: string): unknown {
  const { top, path } = splitName(name);
  return path.reduce(childOf, values[top]);
}

/** Returns a copy of the value with another one at the path. */
export function writePath(value: unknown, [key, ...rest]: readonly string[], next: unknown): unknown {
  if (key === undefined) return next;
  const child = writePath(childOf(value, key), rest, next);
  return Array.isArray(value) ? value.with(Number(key), child) : { ...(value as object), [key]: child };
}

/** Returns the values with another one for a name. */
export function writeValue(values: FormValues, name: string, next: unknown): FormValues {
  const { top, path } = splitName(name);
  return { ...values, [top]: writePath(values[top], path, next) };
}

/** The field of a name, also one inside of a group or of rows. */
export function findField(contract: InputContract, name: string): FieldSpec | undefined {
  const { top, path } = splitName(name);
  const field = contract.fields.find((each) => each.name === top);
  if (path.length === 0) return field;
  return field && 'fields' in field ? field.fields.find((each) => each.name === path.at(-1)) : undefined;
}

/** Whether the row or group that a name is in still exists. */
export function isThere(values: FormValues, name: string): boolean {
  const { top, path } = splitName(name);
  const holder = path.slice(0, -1).reduce(childOf, values[top]);
  return path.length === 0 || (typeof holder === 'object' && holder !== null);
}

const nestedErrors = new WeakMap<FieldError, Map<string, FieldError | undefined>>();

/** What is wrong at or below a path; the same object each time. */
export function nestedError(error: FieldError | undefined, path: readonly string[]): FieldError | undefined {
  if (!error || path.length === 0) return error;
  const known = nestedErrors.get(error) ?? new Map<string, FieldError | undefined>();
  nestedErrors.set(error, known);
  const at = path.join('.');
  if (!known.has(at)) {
    const types = Object.entries(error.types ?? {}).flatMap(([key, message]) =>
      key === at || key.startsWith(`${at}.`) ? [[key.slice(at.length + 1), message] as const] : [],
    );
    const message = types[0]?.[1];
    known.set(
      at,
      typeof message === 'string' ? { type: error.type, message, types: Object.fromEntries(types) } : undefined,
    );
  }
  return known.get(at);
}
