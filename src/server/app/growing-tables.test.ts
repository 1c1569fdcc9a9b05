import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { beforeAll, expect, it } from 'vitest';
import { BOUNDED_TABLES, GROWING_TABLES, UNDISTRIBUTED_TABLES, UNMEASURED_TABLES } from './testing/growing-tables.ts';

const SCHEMA_FOLDER = path.join(import.meta.dirname, '../platform/db/schema');
const ORGANIZATION = 'organization_id';
const growing: ReadonlySet<string> = new Set([...GROWING_TABLES, ...UNMEASURED_TABLES]);

interface TableKeys {
  columns: string[];
  primaryKey: string[];
  references: { columns: string[]; to: string }[];
}

const tables = new Map<string, TableKeys>();

beforeAll(async () => {
  for (const file of await readdir(SCHEMA_FOLDER)) {
    const exported: object = await import(path.join(SCHEMA_FOLDER, file));
    for (const value of Object.values(exported)) if (is(value, PgTable)) addTable(value);
  }
});

function addTable(table: PgTable): void {
  const { name, columns, primaryKeys, foreignKeys } = getTableConfig(table);
  tables.set(name, {
    columns: columns.map((column) => column.name),
    primaryKey: [...columns.filter(({ primary }) => primary), ...primaryKeys.flatMap((key) => key.columns)].map(
      (column) => column.name,
    ),
    references: foreignKeys.map((key) => {
      const { columns: own, foreignTable } = key.reference();
      return { columns: own.map((column) => column.name), to: getTableConfig(foreignTable).name };
    }),
  });
}

const keysOf = (name: string): TableKeys => {
  const keys = tables.get(name);
  if (!keys) throw new Error(`There is no table ${name}.`);
  return keys;
};

/** Rows of one organization can be stored together, and apart from those of others. */
const isDistributable = (name: string): boolean => {
  const { primaryKey, references } = keysOf(name);
  const toGrowing = references.filter(({ to }) => growing.has(to));
  return primaryKey.includes(ORGANIZATION) && toGrowing.every(({ columns }) => columns.includes(ORGANIZATION));
};

const knowsOrganization = (name: string): boolean => {
  const { columns, references } = keysOf(name);
  return columns.includes(ORGANIZATION) || references.some(({ to }) => to !== name && knowsOrganization(to));
};

it('each table either grows with work or is bounded', () => {
  const listed = [...growing, ...BOUNDED_TABLES].toSorted();
  expect(listed).toEqual([...tables.keys()].toSorted());
});

it('each growing table has organization_id in its keys, or a reason why not', () => {
  const undistributed = [...growing].filter((name) => !isDistributable(name));
  expect(Object.keys(UNDISTRIBUTED_TABLES).toSorted()).toEqual(undistributed.toSorted());
});

it('each reason is true', () => {
  const actual = Object.keys(UNDISTRIBUTED_TABLES).map((name) => {
    if (keysOf(name).columns.includes(ORGANIZATION)) return [name, 'id'];
    return [name, knowsOrganization(name) ? 'parent' : 'file'];
  });
  expect(Object.fromEntries(actual)).toEqual(UNDISTRIBUTED_TABLES);
});
