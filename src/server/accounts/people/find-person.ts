import { and, eq, isNull } from 'drizzle-orm';
import * as z from 'zod/mini';
import { email } from '#contract/primitives.ts';
import type { Db } from '#server/platform/db/db.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import type { PersonRow } from './create-person.ts';

/** @param text id or mail address. @throws an error with a sentence if no active person has it */
export async function findPerson(db: Db, organizationId: string, text: string): Promise<PersonRow> {
  const isMatch = text.includes('@') ? eq(people.email, z.safeParse(email(), text).data ?? text) : eq(people.id, text);
  const [person] = await db
    .select()
    .from(people)
    .where(and(eq(people.organization_id, organizationId), isMatch, isNull(people.removed_at)));
  if (!person) throw new Error(`There is no person ${text}.`);
  return person;
}
