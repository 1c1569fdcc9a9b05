import { asc, eq, sql } from 'drizzle-orm';
import { Stripe } from 'stripe';
import type { AlertKind } from '#contract/alert-kinds.ts';
import type { Alert } from '#contract/resources/alert.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { ledgerDays } from '#server/platform/db/schema/billing-schema.ts';
import type { SharedService, TestOrganization } from '#server/studio/generations/testing/shared-service-fixture.ts';
import type { ReceivedDelivery } from '#server/studio/webhooks/testing/webhook-receiver.ts';
import { dayOf } from '#server/operations/alerts/alert-cause.ts';
import { checkAlerts } from '#server/operations/alerts/check-alerts.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

type Organization = Pick<TestOrganization, 'organization_id' | 'call'>;

export interface AlertsFixture {
  /** Checks the organization twice at once, like two workers. */
  check(organization: Organization): Promise<void>;
  list(organization: Organization, kind?: AlertKind): Promise<Alert[]>;
  /** Number of alerts whose raising is in the audit log. */
  countRaised(organization: Organization): Promise<number>;
  /** Sets what was charged today and on the same day of the weeks before, in dollars; null: nothing ever. */
  setSpending(organization: Organization, spent_usd: readonly (number | null)[]): Promise<void>;
}

export const createAlertsFixture = (service: SharedService): AlertsFixture => ({
  async check({ organization_id }) {
    const { deps } = service.get();
    await Promise.all([checkAlerts(deps, organization_id), checkAlerts(deps, organization_id)]);
  },
  list: async ({ call }, kind) => (await call('list_alerts', { query: kind ? { kind } : {} })).body.data,
  async countRaised({ organization_id }) {
    const rows = await service
      .get()
      .deps.db.select({ action: auditEvents.action })
      .from(auditEvents)
      .where(eq(auditEvents.organization_id, organization_id))
      .orderBy(asc(auditEvents.seq));
    return rows.filter(({ action }) => action === 'alert.raised').length;
  },
  async setSpending({ organization_id }, spent_usd) {
    const { db, clock } = service.get().deps;
    const day = (weeks: number) => dayOf(new Date(clock.now().getTime() - weeks * 7 * DAY_MS));
    const work = {
      by_tags: false,
      type: 'SETTLE',
      key_id: 'key',
      task: 'image.create',
      model: '',
      tags: {},
      count: 1,
    } as const;
    const rows = spent_usd.flatMap((usd, week) =>
      usd === null
        ? []
        : [{ ...work, organization_id, date: day(week), amount_micro_usd: -BigInt(Math.round(usd * 1_000_000)) }],
    );
    await db.transaction(async (tx) => {
      // Only the ledger writes these sums.
      await tx.execute(sql`alter table ledger_days disable trigger user`);
      await tx.delete(ledgerDays).where(eq(ledgerDays.organization_id, organization_id));
      if (rows.length > 0) await tx.insert(ledgerDays).values(rows);
      await tx.execute(sql`alter table ledger_days enable trigger user`);
    });
  },
});

const { webhooks } = new Stripe('sk_test_unused');

/** Verifies the signature of a delivery with an independent implementation. @throws if it is wrong */
export const verifySignature = ({ headers, body }: ReceivedDelivery, secret: string, at: Date): void => {
  const header = String(headers['service-signature']);
  webhooks.constructEvent(body, header, secret, 300, undefined, Math.floor(at.getTime() / 1000));
};
