import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATIONS_FOLDER } from './pending-migrations.ts';

export interface MigrationSummary {
  /** Each is part of a sentence, such as `adds 2 columns to assets`. */
  changes: string[];
  /** Existing tables that can't be read or written until all pending migrations are applied. */
  locked: string[];
  /** Existing tables that can be read meanwhile, but not written. */
  read_only: string[];
}

type Effect = 'created' | 'locked' | 'read_only' | 'none';

interface StatementKind {
  pattern: RegExp;
  describe(table: string, count: number): string;
  effect: Effect;
}

const countOf = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun}` : `${count} ${noun.endsWith('x') ? `${noun}es` : `${noun}s`}`;

/** The first that matches the start of a statement applies. Its group is the table, or nothing for other objects. */
const KINDS: readonly StatementKind[] = [
  { pattern: /^create table "(\w+)"/i, describe: (table) => `creates table ${table}`, effect: 'created' },
  { pattern: /^drop table "(\w+)"/i, describe: (table) => `drops table ${table}`, effect: 'locked' },
  {
    pattern: /^create (?:unique )?index .*? on "(\w+)"/i,
    describe: (table, count) => `adds ${countOf(count, 'index')} to ${table}`,
    effect: 'read_only',
  },
  {
    pattern: /^alter table "(\w+)" add column/i,
    describe: (table, count) => `adds ${countOf(count, 'column')} to ${table}`,
    effect: 'locked',
  },
  {
    pattern: /^alter table "(\w+)" add constraint/i,
    describe: (table, count) => `adds ${countOf(count, 'constraint')} to ${table}`,
    effect: 'locked',
  },
  { pattern: /^alter table "(\w+)"/i, describe: (table) => `alters ${table}`, effect: 'locked' },
  { pattern: /^update "(\w+)"/i, describe: (table) => `rewrites rows of ${table}`, effect: 'read_only' },
  { pattern: /^insert into "(\w+)"/i, describe: (table) => `inserts rows into ${table}`, effect: 'none' },
  { pattern: /^delete from "(\w+)"/i, describe: (table) => `deletes rows of ${table}`, effect: 'none' },
  {
    pattern: /^create (?:or replace )?trigger .*? on "(\w+)"/i,
    describe: (table, count) => `sets ${countOf(count, 'trigger')} of ${table}`,
    effect: 'read_only',
  },
  { pattern: /^do()/i, describe: (_table, count) => `runs ${countOf(count, 'script')}`, effect: 'none' },
  { pattern: /^drop index()/i, describe: (_table, count) => `drops ${countOf(count, 'index')}`, effect: 'none' },
  {
    pattern: /^create (?:or replace )?function()/i,
    describe: (_table, count) => `sets ${countOf(count, 'function')}`,
    effect: 'none',
  },
  { pattern: /^drop function()/i, describe: (_table, count) => `drops ${countOf(count, 'function')}`, effect: 'none' },
];
/** A foreign key also locks the table that it points to. */
const REFERENCED_TABLE = /^alter table .* references (?:"public"\.)?"(\w+)"/i;
const OTHER: StatementKind = {
  pattern: /^()/,
  describe: (_table, count) => `runs ${countOf(count, 'other statement')}`,
  effect: 'none',
};

/** Describes what a migration does, by the start of each of its statements. */
export async function describeMigration(tag: string, folder = MIGRATIONS_FOLDER): Promise<MigrationSummary> {
  return summarizeStatements(await readFile(join(folder, `${tag}.sql`), 'utf8'));
}

export function summarizeStatements(text: string): MigrationSummary {
  const counts = new Map<string, { kind: StatementKind; table: string; count: number }>();
  const effects: Record<Effect, Set<string>> = {
    created: new Set(),
    locked: new Set(),
    read_only: new Set(),
    none: new Set(),
  };
  for (const part of text.split('--> statement-breakpoint')) {
    const lines = part.split('\n').filter((line) => !line.trimStart().startsWith('--'));
    const statement = lines.join(' ').replaceAll(/\s+/g, ' ').trim();
    if (statement === '') continue;
    const kind = KINDS.find(({ pattern }) => pattern.test(statement)) ?? OTHER;
    const table = kind.pattern.exec(statement)?.[1] ?? '';
    const name = `${KINDS.indexOf(kind)} ${table}`;
    counts.set(name, { kind, table, count: (counts.get(name)?.count ?? 0) + 1 });
    effects[kind.effect].add(table);
    const referenced = REFERENCED_TABLE.exec(statement)?.[1];
    if (referenced !== undefined) effects.read_only.add(referenced);
  }
  const existing = (tables: Set<string>) => [...tables].filter((table) => !effects.created.has(table));
  // A new table has nothing that its indexes, constraints and triggers could slow down.
  const changes = [...counts.values()].filter(
    ({ kind, table }) => kind.effect === 'created' || kind.effect === 'none' || !effects.created.has(table),
  );
  return {
    changes: changes.map(({ kind, table, count }) => kind.describe(table, count)),
    locked: existing(effects.locked),
    read_only: existing(effects.read_only).filter((table) => !effects.locked.has(table)),
  };
}
