import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TransactionRollbackError, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import type { Tx } from './db.ts';

const FILES = ['ledger.sql', 'audit-log.sql', 'queue-turn.sql', 'store-generation.sql'];
const RULES = (await Promise.all(FILES.map((name) => readFile(join(import.meta.dirname, name), 'utf8')))).join(
  '--> statement-breakpoint',
);

const selectStrings = async (tx: Tx, query: string): Promise<string[]> => {
  const { rows } = (await tx.execute(sql.raw(query))) as { rows: { value: string }[] };
  return rows.map(({ value }) => value);
};

const FUNCTIONS = `from pg_proc where pronamespace = 'public'::regnamespace order by proname`;
const CHECKS = `from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace order by conname`;
const TRIGGERS = `from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal order by t.tgname`;

/** Every function, trigger and check of the schema; functions with their exact text. */
const readRules = async (tx: Tx) => ({
  functions: await selectStrings(tx, `select pg_get_functiondef(oid) as value ${FUNCTIONS}`),
  triggers: await selectStrings(tx, `select pg_get_triggerdef(t.oid) || ' ' || t.tgenabled::text as value ${TRIGGERS}`),
  checks: await selectStrings(tx, `select conname || ' ' || pg_get_constraintdef(oid) as value ${CHECKS}`),
});

async function dropRules(tx: Tx): Promise<void> {
  const statements = [
    ...(await selectStrings(tx, `select format('drop function %s cascade', oid::regprocedure) as value ${FUNCTIONS}`)),
    ...(await selectStrings(
      tx,
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as value ${CHECKS}`,
    )),
  ];
  for (const statement of statements) await tx.execute(sql.raw(statement));
}

describeOnBothDatabases(
  FILES.join(', '),
  () => ({}),
  (service) => {
    it('hold exactly the functions, triggers and checks of a migrated database', async () => {
      const comparison = service.get().deps.db.transaction(async (tx) => {
        const migrated = await readRules(tx);
        await dropRules(tx);
        expect(await readRules(tx)).toEqual({ functions: [], triggers: [], checks: [] });
        for (const statement of RULES.split('--> statement-breakpoint')) await tx.execute(sql.raw(statement));
        expect(await readRules(tx)).toEqual(migrated);
        tx.rollback();
      });
      await expect(comparison).rejects.toThrow(TransactionRollbackError);
    });
  },
);
