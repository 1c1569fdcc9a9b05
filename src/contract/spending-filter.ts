import * as z from 'zod/mini';
import { NO_PERSON } from './ledger.ts';
import { pathId } from './primitives.ts';

/** Values by tag as JSON, null for work without one: `{"client":"acme","project":null}`. */
export const tagFilter = () => z.optional(z.string().check(z.maxLength(1_000)));

/** Work of a person or with values of tags. Without permission to read all billing, only one's own. */
export const spendingFilter = () => ({
  /** `(none)`: work of programs' keys. */
  person_id: z.optional(z.union([pathId(), z.literal(NO_PERSON)])),
  tags: tagFilter(),
});
