import { type SQL, sql } from 'drizzle-orm';
import type { SpendingGroup } from '#contract/ledger.ts';

export const DAY_MS = 24 * 3600 * 1000;

export type SpendingDimension = SpendingGroup | 'day';

export interface SpendingBucket {
  /**
   * One per requested dimension, in their order: a day, a task, a model (null: none), a key (also of `person`), or the
   * value of a tag (null: none).
   */
  values: readonly (string | null)[];
  /** SETTLE less REFUND. */
  spent_micro_usd: bigint;
  count: number;
}

export const formatDay = (time: Date): string => time.toISOString().slice(0, 10);

/** What dimensions are read from; `tags` is jsonb. */
type DimensionColumns = Record<'day' | 'task' | 'model' | 'key' | 'tags', SQL>;

export const TAG_PREFIX = 'tag:';

function dimensionColumn(columns: DimensionColumns, by: SpendingDimension): SQL {
  if (by === 'person') return columns.key;
  if (by === 'day' || by === 'task' || by === 'model' || by === 'key') return columns[by];
  return sql`${columns.tags} ->> ${by.slice(TAG_PREFIX.length)}`;
}

export const selectDimensions = (columns: DimensionColumns, by: readonly SpendingDimension[]) => {
  const texts = by.map((dimension) => sql`(${dimensionColumn(columns, dimension)})::text`);
  return sql<(string | null)[]>`array[${sql.join(texts, sql`, `)}]::text[]`;
};
/** Names of tags are parameters, so that the expression cannot be repeated. */
export const FIRST_COLUMN = sql`1`;

export const toBucket = ({ values, spent, count }: { values: (string | null)[]; spent: string; count: number }) => ({
  values,
  spent_micro_usd: BigInt(spent),
  count,
});
