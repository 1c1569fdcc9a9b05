import type { PgBoss } from 'pg-boss';
import type { JobName } from './jobs.ts';

type SendOptions = NonNullable<Parameters<PgBoss['send']>[2]>;

/** Arbitrary, but used for nothing else. */
const INSTALL_LOCK = 8_787_003;

/** The database function that stores jobs of a queue. It is also called by store-generation.sql. */
export const sendFunctionOf = (name: JobName): string => `pgboss."send_${name}"`;

/**
 * Lets pg-boss validate a job and build its insert, without running it.
 * @returns the statement, with `$1` for `jobs`: a list with the job, as JSON
 */
export async function buildInsert(
  boss: PgBoss,
  name: JobName,
  data: object,
  options: SendOptions = {},
): Promise<{ text: string; jobs: string }> {
  let insert: { text: string; jobs: string } | undefined;
  const db = {
    async executeSql(text: string, [jobs]: unknown[] = []) {
      insert = { text, jobs: String(jobs) };
      // pg-boss expects the id of an inserted job.
      return { rows: [{ id: null }] };
    },
  };
  await boss.send(name, data, { ...options, db });
  if (!insert) throw new Error(`pg-boss built no insert for ${name}.`);
  return insert;
}

/**
 * Wraps the inserts of pg-boss in database functions: planning such an insert takes longer than running it, and a
 * function keeps its plan. Call it after pg-boss has migrated its tables.
 */
export async function installSendFunctions(boss: PgBoss, names: readonly JobName[]): Promise<void> {
  const statements = [`select pg_advisory_xact_lock(${INSTALL_LOCK})`];
  for (const name of names) statements.push(replaceIfChanged(name, (await buildInsert(boss, name, {})).text));
  // Statements that are sent together form one transaction. Several processes may start at once.
  await boss.getDb().executeSql(statements.join(';\n'));
}

function replaceIfChanged(name: JobName, insert: string): string {
  const signature = `${sendFunctionOf(name)}(text)`;
  const body = `begin return query ${insert}; end`;
  return `do $install$ begin
    if (select prosrc from pg_proc where oid = to_regprocedure('${signature}')) is distinct from $body$${body}$body$ then
      create or replace function ${signature} returns setof uuid language plpgsql as $body$${body}$body$;
    end if;
  end $install$`;
}
