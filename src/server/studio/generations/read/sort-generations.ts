import { type SQL, type SQLWrapper, asc, desc, sql } from 'drizzle-orm';
import type { GENERATION_SORTS } from '#contract/resources/generation.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { GenerationRow } from './generation-row.ts';

export interface Sorting {
  sort: (typeof GENERATION_SORTS)[number];
  order: 'asc' | 'desc';
}

/** After which row a page starts. */
export interface Place {
  /** null: the rows without a value, which come last, have begun. */
  value: string | null;
  id: string;
}

type SortedRow = Pick<
  GenerationRow,
  'id' | 'created_at' | 'started_at' | 'completed_at' | 'amount_micro_usd' | 'billing_status'
>;

interface SortKey {
  /** Each has an index. */
  column: SQLWrapper;
  isNullable: boolean;
  valueOf: (row: SortedRow) => string | null;
  toSql: (value: string) => SQL;
}

const SORT_KEYS = {
  created_at: {
    column: generations.created_at,
    isNullable: false,
    valueOf: ({ created_at }) => created_at.toISOString(),
    toSql: (value) => sql`${value}::timestamptz`,
  },
  duration: {
    column: sql`(${generations.completed_at} - ${generations.started_at})`,
    isNullable: true,
    valueOf: ({ started_at, completed_at }) =>
      started_at && completed_at && `${completed_at.getTime() - started_at.getTime()} milliseconds`,
    toSql: (value) => sql`${value}::interval`,
  },
  cost: {
    column: sql`(case when ${generations.billing_status} = 'released' then 0 else ${generations.amount_micro_usd} end)`,
    isNullable: false,
    valueOf: ({ amount_micro_usd, billing_status }) =>
      billing_status === 'released' ? '0' : amount_micro_usd.toString(),
    toSql: (value) => sql`${value}::bigint`,
  },
} as const satisfies Record<Sorting['sort'], SortKey>;

export const sortKey = ({ sort }: Sorting): SortKey => SORT_KEYS[sort];

export const formatPlace = (sorting: Sorting, row: SortedRow): string =>
  JSON.stringify([sorting.sort, sorting.order, sortKey(sorting).valueOf(row), row.id]);

/** @param position of a cursor that was issued @returns null if that was for another order */
export function parsePlace({ sort, order }: Sorting, position: string): Place | null {
  const [ofSort, ofOrder, value, id] = JSON.parse(position) as [string, string, string | null, string];
  return ofSort === sort && ofOrder === order ? { value, id } : null;
}

export function orderBy(sorting: Sorting): SQL[] {
  const direction = sorting.order === 'asc' ? asc : desc;
  return [direction(sortKey(sorting).column), direction(generations.id)];
}

export function afterPlace(sorting: Sorting, { value, id }: Place): SQL {
  const comparison = sorting.order === 'asc' ? sql`>` : sql`<`;
  const { column, toSql } = sortKey(sorting);
  return value === null
    ? sql`${generations.id} ${comparison} ${id}`
    : sql`(${column}, ${generations.id}) ${comparison} (${toSql(value)}, ${id})`;
}
