import type { Db } from '#server/platform/db/db.ts';
import { inArray } from 'drizzle-orm';
import { isModelId, isTaskId, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { MarginGroup } from '#contract/ledger.ts';
import { formatUsd } from '#contract/money.ts';
import type { Margin, MarginSums } from '#contract/resources/margin.ts';
import { providerConnections } from '#server/platform/db/provider-schema.ts';
import { apiKeys } from '#server/platform/db/organization-schema.ts';
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
  const sums = await sumJobs({ db }, { organization_id, group_by, from, to });
  const groups = [...sums].map(([id, group]) => ({ id, ...group })).sort((a, b) => (a.id < b.id ? -1 : 1));
  if (group_by !== 'day') groups.sort((a, b) => Number(marginOf(a) - marginOf(b)));
  const names = await readGroupNames(db, group_by, [...sums.keys()]);
  return {
    object: 'billing_margin',
    currency: 'usd',
    from: from.toISOString(),
    to: to.toISOString(),
    group_by,
    data: groups.map(({ id, ...group }) => ({ id, name: names.get(id) ?? id, ...presentSums(group) })),
    total: presentSums(groups.reduce(addJobSums, NO_JOBS)),
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
async function readGroupNames(db: Db, group_by: MarginGroup, ids: string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0 || group_by === 'day') return new Map();
  if (group_by === 'model') return new Map(ids.map((id) => [id, nameModel(id)]));
  if (group_by === 'key') {
    const keys = await db.select().from(apiKeys).where(inArray(apiKeys.id, ids));
    return new Map(keys.map(({ id, name }) => [id, name]));
  }
  const connections = await db.select().from(providerConnections).where(inArray(providerConnections.id, ids));
  const names = new Map(connections.map((connection) => [connection.id, nameConnection(connection)]));
  return new Map(ids.map((id) => [id, names.get(id) ?? id.replace(/^file:/, '')]));
}

function nameModel(id: string): string {
  if (isModelId(id)) return MODEL_NAMES[id];
  return isTaskId(id) ? TASKS[id].name : id;
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

const DAY_MS = 24 * 3_600_000;
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
