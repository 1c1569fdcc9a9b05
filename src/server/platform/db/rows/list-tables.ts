import { sql } from 'drizzle-orm';
import type { Tx } from '#server/platform/db/db.ts';

interface TableColumn {
  name: string;
  /** As in a cast: `bigint`, `timestamp(3) with time zone`, `text[]`. */
  type: string;
}

export interface TableShape {
  name: string;
  columns: readonly TableColumn[];
}

type Reader = Pick<Tx, 'execute'>;

/** Lists the service's own tables, each after the tables that its foreign keys reference. */
export async function listTables(tx: Reader): Promise<TableShape[]> {
  const columns = await readRows<TableColumn & { table: string }>(
    tx,
    sql`select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and ${isOwnObject}
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by c.relname, a.attnum`,
  );
  const references = await readRows<{ from: string; to: string }>(
    tx,
    sql`select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`,
  );
  const tables = new Map<string, TableColumn[]>();
  for (const { table, name, type } of columns) tables.set(table, [...(tables.get(table) ?? []), { name, type }]);
  return orderByReferences([...tables.keys()], references).map((name) => ({ name, columns: tables.get(name) ?? [] }));
}

/** Objects of extensions belong to the server's administrator. */
const isOwnObject = sql`not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/** Returns whether a database has no table, view or sequence yet. */
export async function isDatabaseEmpty(tx: Reader): Promise<boolean> {
  const [row] = await readRows<{ empty: boolean }>(
    tx,
    sql`select not exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and ${isOwnObject}) as empty`,
  );
  return row?.empty === true;
}

function orderByReferences(names: readonly string[], references: readonly { from: string; to: string }[]): string[] {
  const ordered: string[] = [];
  const remaining = new Set(names);
  while (remaining.size > 0) {
    const ready = [...remaining].filter(
      (name) => !references.some(({ from, to }) => from === name && remaining.has(to)),
    );
    if (ready.length === 0) throw new Error(`These tables reference each other: ${[...remaining].join(', ')}.`);
    ordered.push(...ready);
    for (const name of ready) remaining.delete(name);
  }
  return ordered;
}

/** Both drivers return `rows`, but the type that covers both does not declare it. */
export const readRows = async <T>(tx: Reader, query: Parameters<Reader['execute']>[0]): Promise<T[]> =>
  ((await tx.execute(query)) as { rows: T[] }).rows;
