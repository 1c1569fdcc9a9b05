import * as z from 'zod/mini';
import { id } from '../primitives.ts';

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
