import * as z from 'zod/mini';
import { MODEL_IDS, TASK_IDS } from './ids.ts';
import { USD_PATTERN } from './money.ts';

/** Decision: Times */
export const timestamp = () => z.iso.datetime({ precision: 3 });
/** A month of UTC: `2026-11`. */
export const month = () => z.string().check(z.regex(/^2\d{3}-(0[1-9]|1[0-2])$/, 'Give a month such as 2026-11.'));
export const usd = () => z.string().check(z.regex(USD_PATTERN));
/** An id as it stands in a path: well formed, known or not. Decision: Ids */
export const pathId = () => z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/));
export const id = (prefix: string) => z.string().check(z.regex(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`)));

export const taskId = () => z.enum(TASK_IDS);
export const modelId = () => z.enum(MODEL_IDS);
export const jsonObject = () => z.record(z.string(), z.unknown());

/** One page of a list, newest first. Decision: Lists */
export const listSchema = <T extends z.ZodMiniType>(item: T) =>
  z.strictObject({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.nullable(z.string()),
  });
export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/** A whole number of a query string, with bounds and default. */
export const queryInteger = (preset: number, min: number, max: number) =>
  z._default(
    z.pipe(
      z.string().check(z.regex(/^-?\d{1,9}$/)),
      z.pipe(z.transform(Number), z.int().check(z.gte(min), z.lte(max))),
    ),
    preset,
  );

/** The number of a ledger entry in a query string. */
export const querySeq = () =>
  z.optional(z.string().check(z.regex(/^[1-9]\d{0,14}$/, 'Give the number of an entry, such as 500.')));

/**
 * An empty query value counts as absent; a name that the endpoint does not take is refused, empty or not: an export of
 * everything is not what a mistyped filter asked for. Decision: Queries
 */
export const querySchema = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.pipe(
    z.transform((query: unknown) =>
      Object.fromEntries(
        Object.entries(query ?? {}).filter(([name, value]) => value !== '' || !Object.hasOwn(shape, name)),
      ),
    ),
    z.strictObject(shape),
  );

/** A date and time in a query string, any offset. */
export const queryDateTime = () => z.optional(z.iso.datetime({ offset: true }));

/** Opaque; only one that was issued is taken. Decision: Lists */
export const queryCursor = () => z.optional(z.string().check(z.maxLength(1024)));
