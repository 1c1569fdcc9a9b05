import type { Db } from '#server/platform/db/db.ts';
import { isTaskId, TASKS } from '#contract/catalog.ts';
import { type MarginGroup, PROGRAMS } from '#contract/ledger.ts';
import { formatUsd } from '#contract/money.ts';
import type { Margin, MarginRow, MarginSums } from '#contract/resources/margin.ts';
import { providerConnections } from '#server/platform/db/provider-schema.ts';
import { labelSpending, nameModel, readSpendingNames } from '#server/accounts/billing/spending-labels.ts';
import { DAY_MS } from '#server/accounts/billing/sum-entries.ts';
import { formatCsvRecord } from '#server/platform/core/csv.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import { readTextCosts } from './text-model-calls.ts';
import { addJobSums, type JobSums, NO_JOBS, sumJobs } from './margin-sums.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { parseQueryTime } from '#server/platform/db/created-within.ts';

/**
 * Compares charges with the costs of providers for the jobs that completed in a period, by default this month. The
 * lowest margin comes first; days are in order. Decision: Margin
 * @throws {ApiError} 422 if the period is empty or too long
 */
export async function readMargin(
  { db, clock }: Deps,
  organization_id: string,
  { group_by, ...period }: MarginPeriod & { group_by: MarginGroup },
): Promise<Margin> {
  const { from, to } = resolveMarginPeriod(period, clock.now());
  const jobs = await sumJobs(db, { organization_id, group_by, from, to });
  const label = await readLabels(db, organization_id, group_by);
  const groups = new Map<string, JobSums & { id: string; name: string }>();
  for (const { value, ...sums } of jobs) {
    const { id, name } = label(value);
    groups.set(id, { id, name, ...addJobSums(groups.get(id) ?? NO_JOBS, sums) });
  }
  const rows = [...groups.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (group_by !== 'day') rows.sort((a, b) => Number(marginOf(a) - marginOf(b)));
  return {
    object: 'billing_margin',
    currency: 'usd',
    from: from.toISOString(),
    to: to.toISOString(),
    group_by,
    data: rows.map(({ id, name, ...sums }) => ({ id, name, ...presentSums(sums) })),
    total: presentSums(jobs.reduce(addJobSums, NO_JOBS)),
    prompt_improvements: await readTextCosts(db, organization_id, { from, to }),
  };
}

const marginOf = ({ charged_micro_usd, cost_micro_usd }: JobSums): bigint => charged_micro_usd - cost_micro_usd;

const presentSums = (sums: JobSums): MarginSums => ({
  count: sums.count,
  charged_usd: formatUsd(sums.charged_micro_usd),
  cost_usd: formatUsd(sums.cost_micro_usd),
  margin_usd: formatUsd(marginOf(sums)),
  by_basis: sums.by_basis,
  unknown_cost_count: sums.unknown_cost_count,
});

/** A group without a name is called by its id. */
async function readLabels(
  db: Db,
  organization_id: string,
  by: MarginGroup,
): Promise<(value: string | null) => { id: string; name: string }> {
  if (by === 'day') return (day) => ({ id: day ?? '', name: day ?? '' });
  if (by === 'provider') {
    const connections = await db.select().from(providerConnections);
    const names = new Map(connections.map((connection) => [connection.id, nameConnection(connection)]));
    return (value) => ({ id: value ?? '', name: names.get(value ?? '') ?? (value ?? '').replace(/^file:/, '') });
  }
  const owners = await readSpendingNames(db, organization_id);
  if (by === 'model')
    return (id) => ({ id: id ?? '', name: id !== null && isTaskId(id) ? TASKS[id].name : nameModel(id ?? '', owners) });
  return (value) => {
    const { id, name } = labelSpending(value, by, owners);
    return { id: id ?? PROGRAMS, name: name || (id ?? '') };
  };
}

/** Several servers may speak the protocol of one provider, so an address of its own is part of the name. */
function nameConnection({ provider, address }: typeof providerConnections.$inferSelect): string {
  const name = findPreset(provider)?.name ?? provider;
  return address !== null && URL.canParse(address) ? `${name} (${new URL(address).host})` : name;
}

interface MarginPeriod {
  from?: string | undefined;
  to?: string | undefined;
}

/** A leap year. Limits the rows that one request reads. */
const MAX_DAYS = 366;

/**
 * Defaults to the current month in UTC up to the end of today; without `from`, to the month that ends with `to`.
 * @throws {ApiError} 422 if the period is empty or longer than 366 days
 */
function resolveMarginPeriod(period: MarginPeriod, now: Date): { from: Date; to: Date } {
  const to =
    period.to === undefined ? new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS) : parseQueryTime(period.to);
  const last = new Date(to.getTime() - 1);
  const from =
    period.from === undefined
      ? new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1))
      : parseQueryTime(period.from);
  if (from >= to) throw invalidPeriod('to', 'The period must end after it starts.');
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
    throw invalidPeriod('from', `Choose a period of at most ${MAX_DAYS} days.`);
  return { from, to };
}

const invalidPeriod = (path: string, message: string): ApiError =>
  new ApiError('invalid_request', message, { status: 422, details: [{ path, message }] });

const CSV_COLUMNS = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  jobs: ({ count }) => count,
  charged_usd: ({ charged_usd }) => charged_usd,
  cost_usd: ({ cost_usd }) => cost_usd,
  margin_usd: ({ margin_usd }) => margin_usd,
  reported_costs: ({ by_basis }) => by_basis.reported,
  computed_costs: ({ by_basis }) => by_basis.computed,
  list_costs: ({ by_basis }) => by_basis.list,
  unknown_costs: ({ unknown_cost_count }) => unknown_cost_count,
} as const satisfies Record<string, (row: MarginRow) => string | number>;

/** Formats the rows as CSV. Totals are left out, so that a spreadsheet can sum the columns. */
export async function* formatMargin({ group_by, data }: Margin): AsyncGenerator<string> {
  yield formatCsvRecord(['group_by', ...Object.keys(CSV_COLUMNS)]);
  for (const row of data) yield formatCsvRecord([group_by, ...Object.values(CSV_COLUMNS).map((column) => column(row))]);
}
