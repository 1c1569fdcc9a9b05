import { addSums } from './report.ts';
import type { DimensionLabel } from './dimensions.ts';

const OTHER: DimensionLabel = { id: '(other)', name: 'Other' };
/** No heading has it: those of others are JSON. */
const OTHER_KEY = 'other';

type SumsOf<Name extends string> = Record<Name, bigint>;

export interface LabeledSums<Name extends string> {
  label: DimensionLabel;
  sums: SumsOf<Name>;
}

/** Adds up sums with the same id. */
export function groupSums<Name extends string>(parts: Iterable<LabeledSums<Name>>): LabeledSums<Name>[] {
  const groups = new Map<string | null, LabeledSums<Name>>();
  for (const { label, sums } of parts) groups.set(label.id, { label, sums: addSums(groups.get(label.id)?.sums, sums) });
  return [...groups.values()];
}

export interface TableLimits<Name extends string> {
  limit: number;
  /** Times are in order, others the largest first. */
  isTime: boolean;
  size: (sums: SumsOf<Name>) => bigint;
}

/** Sums headings and orders them; those beyond `limit` become one, so that all sums stay whole. */
export function rankSums<Name extends string>(
  parts: readonly LabeledSums<Name>[],
  { limit, isTime, size }: TableLimits<Name>,
) {
  const bySize = groupSums(parts).toSorted(
    (a, b) => compare(size(b.sums), size(a.sums)) || compare(a.label.name, b.label.name),
  );
  const kept = bySize.length > limit ? bySize.slice(0, limit - 1) : bySize;
  const rest = totalSums(bySize.slice(kept.length));
  const ordered = isTime ? kept.toSorted((a, b) => compare(a.label.name, b.label.name)) : kept;
  const keys = new Set(kept.map(({ label }) => keyOfLabel(label)));
  return {
    headings: [
      ...ordered.map((heading) => ({ ...heading, key: keyOfLabel(heading.label) })),
      ...(rest ? [{ label: OTHER, sums: rest, key: OTHER_KEY }] : []),
    ],
    keyOf(label: DimensionLabel): string {
      const key = keyOfLabel(label);
      return keys.has(key) ? key : OTHER_KEY;
    },
  };
}

/** undefined without parts. */
export const totalSums = <Name extends string>(parts: readonly { sums: SumsOf<Name> }[]): SumsOf<Name> | undefined =>
  parts.reduce<SumsOf<Name> | undefined>((total, { sums }) => addSums(total, sums), undefined);

export interface CrossedSums<Name extends string> {
  row: DimensionLabel;
  column: DimensionLabel;
  sums: SumsOf<Name>;
}

/** Sums cells into rows and columns; what is beyond the largest becomes “Other”. */
export function crossSums<Name extends string>(
  cells: readonly CrossedSums<Name>[],
  limits: { rows: TableLimits<Name>; columns: TableLimits<Name> },
) {
  const rows = rankSums(
    cells.map(({ row, sums }) => ({ label: row, sums })),
    limits.rows,
  );
  const columns = rankSums(
    cells.map(({ column, sums }) => ({ label: column, sums })),
    limits.columns,
  );
  const sumsOf = new Map<string, SumsOf<Name>>();
  for (const { row, column, sums } of cells) {
    const place = placeOf(rows.keyOf(row), columns.keyOf(column));
    sumsOf.set(place, addSums(sumsOf.get(place), sums));
  }
  return {
    columns: columns.headings,
    rows: rows.headings.map((row) => ({
      ...row,
      cells: columns.headings.map((column) => sumsOf.get(placeOf(row.key, column.key))),
    })),
    total: totalSums(cells),
  };
}

const keyOfLabel = ({ id }: DimensionLabel): string => JSON.stringify(id);
const placeOf = (row: string, column: string): string => `${row} ${column}`;
const compare = <T extends bigint | string>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
