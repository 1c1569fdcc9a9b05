import type { Role } from '#contract/permissions.ts';
import type { Clock } from '#server/platform/core/clock.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';

export interface PersonDraft {
  organization_id: string;
  name: string;
  /** Lower case, and known to be theirs; null: none is. */
  email: string | null;
  pending_email?: string | null;
  role: Role;
}

export type PersonRow = typeof people.$inferSelect;

/** Creates a person with the key row that their sessions act as, whose secret nobody gets to know. */
export async function createPerson({ tx, clock }: { tx: Tx; clock: Clock }, draft: PersonDraft): Promise<PersonRow> {
  const now = clock.now();
  const id = createId('per', now);
  const key = await createKey(
    { db: tx, clock },
    {
      organization_id: draft.organization_id,
      name: draft.name,
      kind: 'member',
      person: { id, name: draft.name },
      is_person: true,
    },
  );
  const [row] = await tx
    .insert(people)
    .values({ id, ...draft, key_id: key.id, created_at: now })
    .returning();
  if (!row) throw new Error('The insert of a person returned no row.');
  return row;
}
