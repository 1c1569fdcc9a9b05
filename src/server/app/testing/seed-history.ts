import { sql } from 'drizzle-orm';
import { createPerson } from '#server/accounts/people/create-person.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';
import type { Db } from '#server/platform/db/db.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { type HistoryOptions, historySteps } from './history-sql.ts';

export interface SeededHistory {
  /** The first makes half of all work, the last hardly any. */
  personIds: string[];
  key_ids: string[];
}

const PEOPLE = 8;
const PROGRAMS = 4;

/**
 * Fills a database with a year of work for measurements of reads. Triggers are off meanwhile: sums and copies are
 * filled by the same rules, but hashes of the ledger are not a chain, and balances are constant.
 */
export async function seedHistory(db: Db, options: HistoryOptions): Promise<SeededHistory> {
  const clock = { now: () => new Date(options.now.getTime() - 366 * 86_400_000) };
  const { organization_id, neighborId } = options;
  const people: { id: string; key_id: string }[] = [];
  const programs: string[] = [];
  for (let number = 0; number < PEOPLE; number += 1) {
    const draft = { organization_id, name: `Person ${number}`, email: `person${number}@example.com`, role: 'member' };
    people.push(await db.transaction((tx) => createPerson({ tx, clock }, { ...draft, role: 'member' })));
  }
  for (let number = 0; number < PROGRAMS; number += 1) {
    const draft = { organization_id, name: `Program ${number}`, kind: 'member' } as const;
    programs.push((await createKey({ db, clock }, draft)).id);
  }
  const neighbor = await createKey({ db, clock }, { organization_id: neighborId, name: 'Key', kind: 'organization' });
  const key_ids = [...people.map(({ key_id }) => key_id), ...programs];
  await withLongStatements(async () => {
    await withoutIndexes(db, async () => {
      for (const step of historySteps({ ...options, key_ids, neighborKeyId: neighbor.id })) await db.execute(step);
    });
    await db.execute(sql`vacuum analyze`);
  });
  return { personIds: people.map(({ id }) => id), key_ids };
}

/** Indexes that are built afterwards take a fraction of the time. */
async function withoutIndexes(db: Db, fill: () => Promise<void>): Promise<void> {
  const indexes = await readRows<{ name: string; definition: string }>(
    db,
    sql`select i.indexname as name, i.indexdef as definition from pg_indexes i
      where schemaname = 'public' and not exists (select from pg_constraint c where c.conname = i.indexname)`,
  );
  for (const { name } of indexes) await db.execute(sql`drop index ${sql.identifier(name)}`);
  await fill();
  for (const { definition } of indexes) await db.execute(sql.raw(definition));
}
