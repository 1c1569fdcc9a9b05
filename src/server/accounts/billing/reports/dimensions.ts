import { type SQL, eq, sql } from 'drizzle-orm';
import { isModelId, isTaskId, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { NamedDimension, ReportDimension } from '#contract/money/ledger.ts';
import { addedModels } from '#server/platform/db/schema/added-model-schema.ts';
import { ledgerDays, ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';

/** id null: none. */
export interface DimensionLabel {
  id: string | null;
  name: string;
}

/** Names of keys, the people whom they belong to, by key, of added models, and of providers. */
export interface DimensionNames {
  keys: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, DimensionLabel>;
  models: ReadonlyMap<string, string>;
  /** Only where a report names providers. */
  providers?: ReadonlyMap<string, string>;
}

interface Columns {
  /** Of the sums of days; null: they do not have it, so entries are read. */
  days: SQL | null;
  entries: SQL;
}

interface Dimension extends Columns {
  label: (value: string | null, names: DimensionNames) => DimensionLabel;
}

const DAY: Columns = {
  days: sql`${ledgerDays.date}`,
  entries: sql`(${ledgerEntries.created_at} at time zone 'UTC')::date`,
};
const KEY: Columns = { days: sql`nullif(${ledgerDays.key_id}, '')`, entries: sql`${ledgerEntries.key_id}` };

const labelDate = (id: string): DimensionLabel => ({ id, name: id });

/** What reports group by. A new one is added here, to `#contract/money/ledger.ts` and to the dashboard's report. */
const DIMENSIONS: Readonly<Record<NamedDimension, Dimension>> = {
  task: {
    days: sql`nullif(${ledgerDays.task}, '')`,
    entries: sql`${ledgerEntries.task}`,
    label: (id) => ({ id, name: id !== null && isTaskId(id) ? TASKS[id].name : '' }),
  },
  model: {
    days: sql`nullif(${ledgerDays.model}, '')`,
    entries: sql`${ledgerEntries.model}`,
    label: (id, names) => ({ id, name: id === null ? 'No model' : nameModel(id, names) }),
  },
  key: { ...KEY, label: (id, { keys }) => ({ id, name: keys.get(id ?? '') ?? '' }) },
  /** Summed by key, of which a person may have several. */
  person: { ...KEY, label: (key, names) => names.people.get(key ?? '') ?? { id: null, name: 'Programs' } },
  /** Ids as in `GET /v1/providers`: engines of the operator’s file have their name in it. */
  provider: {
    days: null,
    entries: sql`coalesce(${upstreamJobs.connection_id}, 'file:' || split_part(${upstreamJobs.engine}, '/', 1))`,
    label: (id, { providers }) => ({ id, name: providers?.get(id ?? '') ?? (id ?? '').replace(/^file:/, '') }),
  },
  /** Times are summed by day, so that periods can be compared day by day. */
  month: { ...DAY, label: (day) => labelDate((day ?? '').slice(0, 7)) },
  week: { ...DAY, label: (day) => labelDate(mondayOf(day ?? '')) },
  day: { ...DAY, label: (day) => labelDate(day ?? '') },
};

const TAG_PREFIX = 'tag:';
export const isTag = (by: string): by is `tag:${string}` => by.startsWith(TAG_PREFIX);

function tagDimension(name: string): Dimension {
  return {
    days: sql`${ledgerDays.tags} ->> ${name}`,
    entries: sql`${generations.tags} ->> ${name}`,
    label: (id) => ({ id, name: id ?? '(none)' }),
  };
}

const dimensionOf = (by: ReportDimension): Dimension =>
  isTag(by) ? tagDimension(by.slice(TAG_PREFIX.length)) : DIMENSIONS[by];

export const dimensionColumns = (by: ReportDimension): Columns => dimensionOf(by);

/** Returns the group of a value that `sumBy` returned for a dimension. */
export const labelsOf =
  (by: ReportDimension, names: DimensionNames) =>
  (value: string | null): DimensionLabel =>
    dimensionOf(by).label(value, names);

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** The name of a built-in or added model; of another one, its id. */
const nameModel = (id: string, { models }: DimensionNames): string =>
  isModelId(id) ? MODEL_NAMES[id] : (models.get(id) ?? id);

export async function readDimensionNames(db: Pick<Db, 'select'>, organizationId: string): Promise<DimensionNames> {
  const rows = await db
    .select({ id: apiKeys.id, name: apiKeys.name, person_id: people.id, person_name: people.name })
    .from(apiKeys)
    .leftJoin(people, eq(people.id, apiKeys.person_id))
    .where(eq(apiKeys.organization_id, organizationId));
  const owned = rows.flatMap(({ id, person_id, person_name }) =>
    person_id === null || person_name === null ? [] : [[id, { id: person_id, name: person_name }] as const],
  );
  const models = await db
    .select({ id: addedModels.id, name: addedModels.name })
    .from(addedModels)
    .where(eq(addedModels.organization_id, organizationId));
  return {
    keys: new Map(rows.map(({ id, name }) => [id, name])),
    people: new Map(owned),
    models: new Map(models.map(({ id, name }) => [id, name])),
  };
}
