import { startOfLocalDay } from './controls/days.ts';

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

export type OmitUndefined<T> = Omit<T, OptionalKeys<T>> & { [K in OptionalKeys<T>]?: Exclude<T[K], undefined> };

/** Copies an object without its undefined properties, which the router would write into the address. */
export const omitUndefined = <T extends object>(value: T): OmitUndefined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as OmitUndefined<T>;

/** Hides what `parse` leaves out: the router merges its result into the parameters of the address. */
export const validSearch =
  <T extends object>(parse: (raw: Record<string, unknown>) => T) =>
  (raw: Record<string, unknown>): T => ({
    ...Object.fromEntries(Object.keys(raw).map((name) => [name, undefined])),
    ...parse(raw),
  });

const MAX_TEXT_LENGTH = 500;
const ID = /^[\w-]{1,64}$/;

/** Leaves out a value that is not valid rather than refusing it, so that an old link still opens its page. */

export const parseOption = <T extends string>(options: readonly T[], value: unknown): T | undefined =>
  options.find((option) => option === value);

export const parseKey = <T extends string>(table: Readonly<Record<T, unknown>>, value: unknown): T | undefined =>
  typeof value === 'string' && Object.hasOwn(table, value) ? (value as T) : undefined;

export const parsePattern = (pattern: RegExp, value: unknown): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

export const parseId = (value: unknown): string | undefined => parsePattern(ID, value);

export const parseDay = (value: unknown): string | undefined =>
  typeof value === 'string' && startOfLocalDay(value) ? value : undefined;

/** The router turns digits into a number. */
export const parseText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).trim().slice(0, MAX_TEXT_LENGTH) || undefined
    : undefined;
