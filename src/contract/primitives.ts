import * as z from 'zod/mini';
import { MODEL_IDS, TASK_IDS } from './ids.ts';
import { PROGRAMS } from './money/ledger.ts';
import { NANO_PATTERN, USD_PATTERN } from './money/money.ts';

/** Decision: Times */
export const timestamp = () => z.iso.datetime({ precision: 3 });
/** A month in UTC: `2026-11`. */
export const month = () => z.string().check(z.regex(/^2\d{3}-(0[1-9]|1[0-2])$/, 'Enter a month such as 2026-11.'));
export const usd = () => z.string().check(z.regex(USD_PATTERN));
/** An amount of a provider's bill, with up to 9 decimals. */
export const nano = () => z.string().check(z.regex(NANO_PATTERN));
/** An id in a path: checked for form only, so that an unknown one is a 404. Decision: Times */
export const pathId = () => z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/));
export const id = (prefix: string) => z.string().check(z.regex(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`)));

const MAX_EMAIL_LENGTH = 254;
/** ASCII alone, and before the lower case: that of the Kelvin sign is k, so another person's address. */
export const email = () =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(MAX_EMAIL_LENGTH),
      z.regex(z.regexes.email, 'Enter a mail address such as name@example.com.'),
      z.toLowerCase(),
    );

export const taskId = () => z.enum(TASK_IDS);
export const addedModelId = () => z.templateLiteral(['added-', z.string().check(z.regex(/^[a-z0-9-]{1,58}$/))]);
export const builtInModelId = () => z.enum(MODEL_IDS);
export const modelId = () => z.union([builtInModelId(), addedModelId()]);
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

export const queryInteger = (preset: number, min: number, max: number) =>
  z._default(
    z.pipe(
      z.string().check(z.regex(/^-?\d{1,9}$/)),
      z.pipe(z.transform(Number), z.int().check(z.gte(min), z.lte(max))),
    ),
    preset,
  );

export const querySeq = () =>
  z.optional(z.string().check(z.regex(/^[1-9]\d{0,14}$/, 'Enter an entry number such as 500.')));

/**
 * Parses a query string: an empty value counts as absent, an unknown name is an error. Otherwise a mistyped filter
 * would export everything. Decision: Queries
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

export const queryDateTime = () => z.optional(z.iso.datetime({ offset: true }));

/** Opaque; the service verifies that it issued the cursor. Decision: Times */
export const queryCursor = () => z.optional(z.string().check(z.maxLength(1024)));

/** Values by tag as JSON, null for work without one: `{"client":"acme","project":null}`. */
export const tagFilter = () => z.optional(z.string().check(z.maxLength(1_000)));

/** Work of a person or with values of tags. Without permission to read all billing, only one's own. */
export const spendingFilter = () => ({
  /** `(none)`: work of programs' keys. */
  person_id: z.optional(z.union([pathId(), z.literal(PROGRAMS)])),
  tags: tagFilter(),
});

/** Who created something. Decision: Creators */
export const creatorSchema = () =>
  z.strictObject({
    /** The key, or the key that the sessions of a person act as. */
    id: id('key'),
    name: z.string(),
    /** Whom the key belongs to, removed people too; null: a program. An addition. */
    person: z.optional(z.nullable(z.strictObject({ id: id('per'), name: z.string() }))),
  });
export type Creator = z.infer<ReturnType<typeof creatorSchema>>;
