import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { ALERT_TITLES } from '#contract/alert-kinds.ts';
import { parseBudgetScope } from '#contract/money/budget-scope.ts';
import { modelName } from '#contract/model-catalog.ts';
import { recordAuditEvent, serviceActor } from '#server/accounts/audit/record-audit-event.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { alerts } from '#server/platform/db/schema/alert-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { insertEvent } from '#server/studio/webhooks/insert-event.ts';
import { type AlertCause, dayOf, organizationCause } from './alert-cause.ts';
import { findDifferentBills, findUnreadBills } from './bill-causes.ts';
import { findClientAnswers } from './answer-causes.ts';
import { findEndpointCauses, findPausedProviders } from './connection-causes.ts';
import { findDiskCauses, findLowDisk } from './disk-causes.ts';
import { mailAlerts } from './mail-alerts.ts';
import { findChangedModels, findCostlyModels } from './model-causes.ts';
import { type AlertRow, presentAlert } from './present-alert.ts';
import { findVerificationMismatch, findWaitingReviews } from './review-causes.ts';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import { accounts, ledgerDays } from '#server/platform/db/schema/billing-schema.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { isCatalogId } from '#contract/resources/catalog.ts';
import type { Offering } from '#server/models/catalog/offering.ts';
import { listBudgets } from '#server/accounts/billing/budgets.ts';
import { SPENDING_TYPES } from '#server/accounts/billing/reports/report.ts';

type CauseKey = Pick<AlertRow, 'kind' | 'subject_id' | 'period'>;
const keyOf = ({ kind, subject_id, period }: CauseKey): string => JSON.stringify([kind, subject_id, period]);

/**
 * Raises an alert for each cause and period that has none yet, and resolves those whose cause is over. Alert, audit
 * event, webhook event and mails are one transaction; one process at a time checks an organization. Decision: Alerts
 */
export async function checkAlerts(deps: Deps, organizationId: string): Promise<void> {
  const now = deps.clock.now();
  const lowDisk = await findLowDisk(deps);
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`alerts ${organizationId}`}, 0))`);
    const unresolved = await tx
      .select()
      .from(alerts)
      .where(and(eq(alerts.organization_id, organizationId), isNull(alerts.resolved_at)));
    const found = [
      ...(await findCauses(deps, tx, organizationId, now)),
      ...(await findDiskCauses(tx, organizationId, lowDisk)),
    ];
    const causes = found.map((cause) => {
      const lasting = unresolved.find(({ kind, subject_id }) => kind === cause.kind && subject_id === cause.subject_id);
      return { ...cause, period: cause.period ?? lasting?.period ?? dayOf(now) };
    });
    await resolveAlerts(tx, unresolved, new Set(causes.map(keyOf)), now);
    const known = new Set(unresolved.map(keyOf));
    const raised: AlertRow[] = [];
    for (const cause of causes.filter((each) => !known.has(keyOf(each)))) {
      const row = await raiseAlert(tx, organizationId, cause, now);
      if (row) raised.push(row);
    }
    if (raised.length > 0) await publishAlerts(deps, tx, organizationId, raised, now);
  });
}

const findCauses = async (deps: Deps, tx: Tx, organizationId: string, now: Date): Promise<AlertCause[]> => [
  ...(await findLowBalance(tx, organizationId)),
  ...(await findBudgetCauses(deps, tx, organizationId)),
  ...(await findUnusualSpending(tx, organizationId, now)),
  ...(await findPausedProviders(tx, organizationId)),
  ...(await findUnreadBills(tx, organizationId)),
  ...(await findDifferentBills(tx, organizationId, now)),
  ...(await findChangedModels(tx, organizationId)),
  ...(await findCostlyModels(tx, organizationId, now)),
  ...(await findEndpointCauses(tx, organizationId, now)),
  ...(await findWaitingReviews(tx, organizationId, now)),
  ...(await findVerificationMismatch(tx, organizationId)),
  ...(await findClientAnswers(tx, organizationId, now)),
];

async function resolveAlerts(
  tx: Tx,
  unresolved: readonly AlertRow[],
  current: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const ids = unresolved.filter((row) => !current.has(keyOf(row))).map(({ id }) => id);
  if (ids.length > 0) await tx.update(alerts).set({ resolved_at: now }).where(inArray(alerts.id, ids));
}

/** @returns null for a cause that comes back in the same period: its alert is open again, and nothing is sent */
async function raiseAlert(
  tx: Tx,
  organizationId: string,
  { kind, subject_id, subject_name, period, message }: AlertCause & CauseKey,
  now: Date,
): Promise<AlertRow | null> {
  const [row] = await tx
    .insert(alerts)
    .values({
      id: createId('alt', now),
      organization_id: organizationId,
      kind,
      subject_id,
      subject_name,
      period,
      message,
      raised_at: now,
    })
    .onConflictDoNothing({ target: [alerts.organization_id, alerts.kind, alerts.subject_id, alerts.period] })
    .returning();
  if (row) return row;
  await tx
    .update(alerts)
    .set({ resolved_at: null, message })
    .where(
      and(
        eq(alerts.organization_id, organizationId),
        eq(alerts.kind, kind),
        eq(alerts.subject_id, subject_id),
        eq(alerts.period, period),
      ),
    );
  return null;
}

async function publishAlerts(
  deps: Deps,
  tx: Tx,
  organizationId: string,
  raised: readonly AlertRow[],
  now: Date,
): Promise<void> {
  for (const row of raised) {
    const event = {
      organization_id: organizationId,
      type: 'alert.raised',
      generation_id: null,
      present: () => presentAlert(row),
    } as const;
    await insertEvent(deps, tx, event, now);
  }
  await mailAlerts(deps, tx, organizationId, raised);
  for (const { id, kind, message } of raised) {
    const target = { type: 'alert', id, name: ALERT_TITLES[kind] };
    const change = { action: 'alert.raised', target, after: { message } } as const;
    await recordAuditEvent(tx, serviceActor(organizationId), change, now);
  }
}

async function findLowBalance(tx: Tx, organizationId: string): Promise<AlertCause[]> {
  const [row] = await tx
    .select({ available: accounts.available_micro_usd, limit: organizations.low_balance_micro_usd })
    .from(accounts)
    .innerJoin(organizations, eq(organizations.id, accounts.organization_id))
    .where(eq(accounts.organization_id, organizationId));
  if (!row || row.limit === null || row.available >= row.limit) return [];
  const message = `${formatMoney(row.available)} are available, less than ${formatMoney(row.limit)}.`;
  return [organizationCause('low_balance', null, message)];
}

const WEEK_MS = 7 * 24 * 3_600_000;
/** Weeks that today is compared with. */
const COMPARED_WEEKS = 4;
/** With a single week to compare, one odd day would decide. */
const MIN_WEEKS = 2;
/** The same weekday often doubles from week to week; three times as much is rare. */
const UNUSUAL_FACTOR = 3n;
/** Below ten dollars, three times as much is still little. */
const UNUSUAL_MIN_MICRO_USD = 10_000_000n;

/** Compares today's charges so far with the average of the same weekday in the weeks before, idle ones included. */
async function findUnusualSpending(tx: Tx, organizationId: string, now: Date): Promise<AlertCause[]> {
  const today = dayOf(now);
  const earlier = Array.from({ length: COMPARED_WEEKS }, (_, week) =>
    dayOf(new Date(now.getTime() - (week + 1) * WEEK_MS)),
  );
  const { date, type, by_tags, amount_micro_usd } = ledgerDays;
  const ofOrganization = and(eq(ledgerDays.organization_id, organizationId), eq(by_tags, false));
  const isSpending = and(ofOrganization, inArray(type, [...SPENDING_TYPES]));
  const rows = await tx
    .select({ date, spent: sql<string>`(-sum(${amount_micro_usd}))::text` })
    .from(ledgerDays)
    .where(and(isSpending, inArray(date, [today, ...earlier])))
    .groupBy(date);
  const sums = new Map(rows.map((row) => [row.date, BigInt(row.spent)]));
  const spent = sums.get(today) ?? 0n;
  if (spent < UNUSUAL_MIN_MICRO_USD) return [];
  const [oldest] = await tx
    .select({ date: sql<string | null>`min(${date})::text` })
    .from(ledgerDays)
    .where(isSpending);
  const compared = earlier.filter((day) => oldest?.date != null && day >= oldest.date);
  const total = compared.reduce((sum, day) => sum + (sums.get(day) ?? 0n), 0n);
  const weeks = BigInt(compared.length);
  if (compared.length < MIN_WEEKS || spent * weeks <= total * UNUSUAL_FACTOR) return [];
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(now);
  const message = `${formatMoney(spent)} were charged today so far. The last ${weeks} ${weekday}s had ${formatMoney(total / weeks)} on average.`;
  return [organizationCause('unusual_spend', today, message)];
}

const INTERVAL_LABELS = { day: 'daily', week: 'weekly', month: 'monthly' } as const satisfies Record<
  Budget['interval'],
  string
>;

async function findBudgetCauses({ clock, offering }: Deps, tx: Tx, organizationId: string): Promise<AlertCause[]> {
  const { data } = await listBudgets({ db: tx, clock }, organizationId);
  return data.filter(({ state }) => state !== 'ok').map((budget) => describeBudget(offering.current(), budget));
}

/** As the dashboard shows it: “ImgModel B Pro”, “client: acme”. */
function nameOwner(offering: Offering, { scope, scope_name }: Budget): string {
  const parsed = parseBudgetScope(scope);
  switch (parsed?.type) {
    case 'organization':
      return 'the organization';
    case 'model':
      return (isCatalogId(parsed.id) && offering.labels.get(parsed.id)?.name) || modelName(offering, parsed.id);
    case 'tag':
      return `${parsed.name}: ${parsed.value}`;
    default:
      return scope_name ?? scope;
  }
}

function describeBudget(offering: Offering, budget: Budget): AlertCause {
  const limit = parseUsd(budget.limit_usd) + parseUsd(budget.extra_usd);
  const used = limit - parseUsd(budget.left_usd);
  const owner = nameOwner(offering, budget);
  const name = `The ${INTERVAL_LABELS[budget.interval]} budget of ${owner}`;
  const isUsedUp = budget.state === 'exhausted';
  const next = budget.resets_at.slice(0, 10);
  return {
    kind: isUsedUp ? 'budget_exhausted' : 'budget_warning',
    subject_id: budget.id,
    subject_name: owner,
    // A limit that was raised can be used up as well.
    period: `${budget.interval_start} ${formatMoney(limit)}`,
    message: isUsedUp
      ? `${name} is used up: all of ${formatMoney(limit)} is spent or reserved. It resets on ${next}.`
      : `${name} is almost used up: ${formatMoney(used)} of ${formatMoney(limit)} is spent or reserved. It resets on ${next}.`,
  };
}
