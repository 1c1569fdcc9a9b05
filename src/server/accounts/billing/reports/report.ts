import { type SQL, and, eq, gte, inArray, isNotNull, lt, ne, or, sql } from 'drizzle-orm';
import { LEDGER_TYPES, type LedgerType, type ReportDimension } from '#contract/money/ledger.ts';
import { ledgerDays, ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { dimensionColumns, isTag } from './dimensions.ts';
import { type LedgerFilter, ledgerFilterCondition } from '#server/accounts/billing/ledger/ledger-filter.ts';
import { knownCost } from '#server/accounts/billing/ledger/entry-costs.ts';
import { hasTags, type TagFilter } from './spending-scope.ts';

export const DAY_MS = 24 * 3_600_000;
export const SPENDING_TYPES = ['SETTLE', 'REFUND'] as const satisfies readonly LedgerType[];
/** Each finished generation has one RELEASE, in the transaction of its SETTLE. */
const FINISHED = ['RELEASE'] as const;
/** Corrections of costs, which are no entries. Decision: Closing */
const CORRECTIONS = ['CORRECTION'] as const;
const COST_TYPES = [...FINISHED, ...CORRECTIONS] as const;
const WORK_TYPES = [...COST_TYPES, ...SPENDING_TYPES] as const;
type CountedType = LedgerType | (typeof CORRECTIONS)[number];

interface MeasureRule {
  /** Entries that count. */
  types: readonly CountedType[];
  /** What each adds. */
  adds: string;
  only?: string;
  /** `work`: needs the job at a provider; `jobs`: is about nothing else. The sums of days have neither. */
  of?: 'work' | 'jobs';
}

/** Which entries count for a figure; all count in the period in which they were written. Decision: Reports */
const MEASURES = {
  amount: { types: LEDGER_TYPES, adds: 'amount' },
  entries: { types: LEDGER_TYPES, adds: 'count' },
  spent: { types: SPENDING_TYPES, adds: '-amount' },
  charges: { types: ['SETTLE'], adds: 'count' },
  /** With corrections. */
  cost: { types: COST_TYPES, adds: 'cost', of: 'work' },
  jobCost: { types: FINISHED, adds: 'cost', of: 'work' },
  corrected: { types: CORRECTIONS, adds: 'cost', of: 'work' },
  /** Of work with a known cost. */
  margin: {
    types: WORK_TYPES,
    adds: "case when type in ('RELEASE', 'CORRECTION') then -cost else -amount end",
    only: 'cost is not null',
    of: 'work',
  },
  knownCosts: { types: FINISHED, adds: '1', only: 'cost is not null', of: 'work' },
  knownMargins: { types: WORK_TYPES, adds: '1', only: 'cost is not null', of: 'work' },
  knownCharges: { types: ['SETTLE'], adds: '1', only: 'cost is not null', of: 'work' },
  unknownCharges: { types: ['SETTLE'], adds: '1', only: 'cost is null', of: 'work' },
  jobs: { types: FINISHED, adds: '1', of: 'jobs' },
  charged: { types: SPENDING_TYPES, adds: '-amount', of: 'jobs' },
  reported: { types: FINISHED, adds: '1', only: "cost is not null and basis = 'reported'", of: 'work' },
  computed: { types: FINISHED, adds: '1', only: "cost is not null and basis = 'computed'", of: 'work' },
  list: { types: FINISHED, adds: '1', only: "cost is not null and basis = 'list'", of: 'work' },
  unknownJobs: { types: FINISHED, adds: '1', only: 'cost is null and may_cost', of: 'work' },
} as const satisfies Record<string, MeasureRule>;

export type Measure = keyof typeof MEASURES;
/** Micro-dollars, or counts. */
export type Sums<M extends Measure> = Record<M, bigint>;
export type SumDimension = ReportDimension | 'type';

/** `[from, to)`; undefined: unbounded. */
export interface OptionalPeriod {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Which entries a report covers. */
export type ReportScope = Pick<
  LedgerFilter,
  'task' | 'model' | 'key_id' | 'generation_id' | 'workflow_run_id' | 'seq'
> & {
  organization_id: string;
  key_ids?: readonly string[] | null | undefined;
  tags?: TagFilter | undefined;
  types?: readonly LedgerType[] | undefined;
};

export interface ReportRow<M extends Measure> {
  /**
   * One per dimension, in their order: a day, a task, a model, a key (also of `person`), a provider, or the value of a
   * tag. Null: none.
   */
  values: readonly (string | null)[];
  sums: Sums<M>;
}

/**
 * Sums the entries of a period by dimensions. Every figure of billing is one of these: whole UTC days come from the
 * stored sums of days, partial days and what days do not have from entries.
 */
export async function sumBy<M extends Measure>(
  db: Pick<Db, 'execute' | 'select'>,
  scope: ReportScope,
  period: OptionalPeriod,
  by: readonly SumDimension[],
  measures: readonly M[],
): Promise<ReportRow<M>[]> {
  const rules = measures.map((measure): MeasureRule => MEASURES[measure]);
  const types = new Set(rules.flatMap((rule) => rule.types));
  const query: SourceQuery = {
    scope,
    by,
    types: LEDGER_TYPES.filter((type) => types.has(type) && (scope.types?.includes(type) ?? true)),
    needsWork: by.includes('provider') || rules.some(({ of }) => of !== undefined),
    jobsOnly: rules.some(({ of }) => of === 'jobs') && rules.every(({ of }) => of !== undefined),
  };
  const { days, edges } = splitPeriod(period, hasDays(query));
  const sources = [
    ...(days ? [selectDays(query, days)] : []),
    ...(edges.length > 0 ? [selectEntries(query, edges)] : []),
    ...(edges.length > 0 && types.has('CORRECTION') && !scope.types ? [selectCorrections(query, edges)] : []),
  ];
  if (sources.length === 0) return [];
  const values = by.map((_, index) => valueName(index));
  const sums = rules.map(({ types: counted, adds, only }, index) => {
    const isCounted = counted.map((type) => `'${type}'`).join(', ');
    const filter = sql.raw(`type in (${isCounted})${only === undefined ? '' : ` and ${only}`}`);
    return sql`coalesce(sum(${sql.raw(adds)}) filter (where ${filter}), 0) as ${sumName(index)}`;
  });
  // Plain columns are grouped several times faster than texts; names of tags are parameters, which cannot be repeated.
  const grouping = by.length === 0 ? sql`` : sql`group by ${sql.raw(by.map((_, index) => index + 1).join(', '))}`;
  const rows = await readRows<{ values: (string | null)[]; sums: string[] }>(
    db,
    sql`select array[${sql.join(
      values.map((value) => sql`${value}::text`),
      sql`, `,
    )}]::text[] as values,
      array[${sql.join(
        measures.map((_, index) => sql`${sumName(index)}::text`),
        sql`, `,
      )}]::text[] as sums
      from (select ${sql.join([...values, ...sums], sql`, `)} from (${sql.join(sources, sql` union all `)}) as entries ${grouping}) as rows`,
  );
  return rows.map((row) => ({ values: row.values, sums: toSums(measures, (index) => BigInt(row.sums[index] ?? 0)) }));
}

/** The sums of a period, not divided. */
export async function sumAll<M extends Measure>(
  db: Pick<Db, 'execute' | 'select'>,
  scope: ReportScope,
  period: OptionalPeriod,
  measures: readonly M[],
): Promise<Sums<M>> {
  const [row] = await sumBy(db, scope, period, [], measures);
  return row?.sums ?? toSums(measures, () => 0n);
}

const toSums = <M extends Measure>(measures: readonly M[], sumAt: (index: number) => bigint): Sums<M> =>
  Object.fromEntries(measures.map((measure, index) => [measure, sumAt(index)])) as Sums<M>;

export const addSums = <Name extends string>(
  first: Record<Name, bigint> | undefined,
  second: Record<Name, bigint>,
): Record<Name, bigint> =>
  first === undefined
    ? second
    : (Object.fromEntries((Object.keys(second) as Name[]).map((name) => [name, first[name] + second[name]])) as Record<
        Name,
        bigint
      >);

interface SourceQuery {
  scope: ReportScope;
  by: readonly SumDimension[];
  types: readonly LedgerType[];
  needsWork: boolean;
  jobsOnly: boolean;
}

const valueName = (index: number): SQL => sql.raw(`value_${index}`);
const sumName = (index: number): SQL => sql.raw(`sum_${index}`);

const hasDays = ({ scope: { generation_id, workflow_run_id, seq }, by, needsWork }: SourceQuery): boolean =>
  !needsWork &&
  (generation_id ?? workflow_run_id ?? seq) === undefined &&
  by.every((each) => each === 'type' || dimensionColumns(each).days !== null);

/** Divides a period into whole days and the rest. */
function splitPeriod(
  { from, to }: OptionalPeriod,
  canReadDays: boolean,
): { days: OptionalPeriod | null; edges: OptionalPeriod[] } {
  if (from && to && from >= to) return { days: null, edges: [] };
  const days = { from: from && roundToDay(from, Math.ceil), to: to && roundToDay(to, Math.floor) };
  const isEmpty = days.from && days.to && days.from >= days.to;
  if (isEmpty || !canReadDays) return { days: null, edges: [{ from, to }] };
  const edges = [
    { from, to: days.from },
    { from: days.to, to },
  ];
  return { days, edges: edges.filter((edge) => edge.from && edge.to && edge.from < edge.to) };
}

const roundToDay = (time: Date, round: (days: number) => number): Date =>
  new Date(round(time.getTime() / DAY_MS) * DAY_MS);

const formatDay = (time: Date): string => time.toISOString().slice(0, 10);

const selectValues = (by: readonly SumDimension[], columnOf: (dimension: SumDimension) => SQL | null): SQL =>
  sql.join(by.map((dimension, index) => sql`${columnOf(dimension)} as ${valueName(index)}, `));

function selectDays({ scope, by, types }: SourceQuery, { from, to }: OptionalPeriod): SQL {
  const { organization_id, task, model, key_id, key_ids, tags } = scope;
  const { type, date, ...days } = ledgerDays;
  const columnOf = (dimension: SumDimension) =>
    dimension === 'type' ? sql`${type}` : dimensionColumns(dimension).days;
  const isWanted = and(
    eq(days.organization_id, organization_id),
    eq(days.by_tags, by.some(isTag) || (tags?.size ?? 0) > 0),
    inArray(type, [...types]),
    from && gte(date, formatDay(from)),
    to && lt(date, formatDay(to)),
    task && eq(days.task, task),
    model && eq(days.model, model),
    key_id ? eq(days.key_id, key_id) : undefined,
    key_ids ? inArray(days.key_id, [...key_ids]) : undefined,
    // An entry without a generation has no tags, and is not what has none.
    tags?.size ? and(ne(days.key_id, ''), hasTags(sql`${days.tags}`, tags)) : undefined,
  );
  return sql`select ${selectValues(by, columnOf)} ${type} as type, ${days.amount_micro_usd} as amount, ${days.count} as count
    from ${ledgerDays} where ${isWanted}`;
}

interface EntrySource {
  from: SQL;
  cost: SQL;
}

const selectCorrections = (query: SourceQuery, periods: readonly OptionalPeriod[]): SQL =>
  selectEntries({ ...query, types: CORRECTIONS }, periods, {
    from: correctionsAsEntries,
    cost: sql`round(correction_nano / 1000.0)::bigint`,
  });

function selectEntries(
  { scope, by, types, needsWork, jobsOnly }: Omit<SourceQuery, 'types'> & { types: readonly CountedType[] },
  periods: readonly OptionalPeriod[],
  source: EntrySource = { from: jobsOnly ? entriesAndFreeWork : sql`${ledgerEntries}`, cost: knownCost },
): SQL {
  const { organization_id, tags, seq, types: _types, key_ids, ...filter } = scope;
  const { type, created_at, generation_id } = ledgerEntries;
  const columnOf = (dimension: SumDimension) =>
    dimension === 'type' ? sql`${type}` : dimensionColumns(dimension).entries;
  const isWanted = and(
    eq(ledgerEntries.organization_id, organization_id),
    inArray(sql`${type}`, [...types]),
    or(...periods.map(({ from, to }) => and(from && gte(created_at, from), to && lt(created_at, to)))),
    ledgerFilterCondition({ ...filter, ...(key_ids ? { key_ids } : {}) }),
    seq === undefined ? undefined : eq(ledgerEntries.seq, BigInt(seq)),
    tags?.size ? and(isNotNull(generation_id), hasTags(sql`${generations.tags}`, tags)) : undefined,
  );
  const { cost_basis } = upstreamJobs;
  const work = sql`, ${source.cost} as cost, ${cost_basis} as basis, ${mayHaveCost} as may_cost`;
  const ofJob = eq(upstreamJobs.generation_id, generation_id);
  const joined = jobsOnly ? sql`inner join ${upstreamJobs} on ${ofJob}` : sql`left join ${upstreamJobs} on ${ofJob}`;
  return sql`select ${selectValues(by, columnOf)} ${type} as type, ${ledgerEntries.amount_micro_usd} as amount, 1 as count
    ${needsWork ? work : sql``} from ${source.from}
    left join ${generations} on ${eq(generations.id, generation_id)} ${needsWork ? joined : sql``} where ${isWanted}`;
}

/** A job that the provider never accepted costs nothing; of a submit without a response nobody knows. */
const mayHaveCost = sql`(${upstreamJobs.handle} is not null or ${generations.status} = 'succeeded' or ${upstreamJobs.state} = 'submitting')`;

/** By generation, so that all dimensions have them. What is outside of orders is in none. */
const correctionsAsEntries = sql`(select correction.organization_id, 'CORRECTION'::text as type, correction.booked_at as created_at,
    correction.generation_id, work.task, work.model, work.created_by as key_id, 0::bigint as amount_micro_usd,
    work.workflow_run_id, null::bigint as seq, correction.amount_nano as correction_nano
  from closing_corrections as correction join generations as work on work.id = correction.generation_id) as ledger_entries`;

/** Work that was free has no entries, but may have a cost: it counts when it completed. */
const entriesAndFreeWork = sql`(select organization_id, type, created_at, generation_id, task, model, key_id, amount_micro_usd,
    workflow_run_id, seq from ledger_entries
  union all select organization_id, 'RELEASE'::text, completed_at, id, task, model, created_by, 0::bigint, workflow_run_id, null::bigint
    from generations as free where amount_micro_usd = 0 and completed_at is not null
    and not exists (select from ledger_entries as entry where entry.generation_id = free.id)) as ledger_entries`;
