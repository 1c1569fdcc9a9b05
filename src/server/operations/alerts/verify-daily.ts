import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Verification } from '#contract/resources/audit.ts';
import { verifyLedger } from '#server/accounts/billing/ledger/verify-ledger.ts';
import { ledgerVerifications } from '#server/platform/db/schema/alert-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueueMail } from '#server/platform/mail/enqueue-mail.ts';
import { insertEvent } from '#server/studio/webhooks/insert-event.ts';
import { dayOf } from './alert-cause.ts';
import { checkAlerts } from './check-alerts.ts';

/** Enqueues the verification of each organization whose ledger was not verified today. */
export async function enqueueDueVerifications({ db, clock, queue }: Deps) {
  const isToday = and(
    eq(ledgerVerifications.organization_id, organizations.id),
    eq(ledgerVerifications.date, dayOf(clock.now())),
  );
  const due = await db
    .select({ organization_id: organizations.id })
    .from(organizations)
    .leftJoin(ledgerVerifications, isToday)
    .where(isNull(ledgerVerifications.date));
  if (due.length === 0) return;
  await db.transaction(async (tx) => {
    for (const { organization_id } of due)
      await queue.send(tx, 'ledger.verify', { organization_id }, { key: organization_id });
  });
}

/**
 * Verifies ledger and audit log once a day (UTC), stores the result, and sends it by webhook and to the outside
 * address. The newest entry of the last good verification must still be there, so nobody can rewrite the ledger later.
 */
export async function verifyDaily(deps: Deps, organizationId: string, signal: AbortSignal): Promise<void> {
  const date = dayOf(deps.clock.now());
  const isOrganization = eq(ledgerVerifications.organization_id, organizationId);
  const [today] = await deps.db
    .select({ date: ledgerVerifications.date })
    .from(ledgerVerifications)
    .where(and(isOrganization, eq(ledgerVerifications.date, date)));
  if (today) return;
  const [good] = await deps.db
    .select({ seq: ledgerVerifications.head_seq, hash: ledgerVerifications.head_hash })
    .from(ledgerVerifications)
    .where(and(isOrganization, eq(ledgerVerifications.ok, true), isNotNull(ledgerVerifications.head_seq)))
    .orderBy(desc(ledgerVerifications.date))
    .limit(1);
  const knownHead = good?.seq != null && good.hash !== null ? { seq: good.seq, hash: good.hash } : undefined;
  const result = await verifyLedger(deps, organizationId, { known_head: knownHead, signal });
  await deps.db.transaction((tx) => storeResult(deps, tx, organizationId, date, result));
  await checkAlerts(deps, organizationId);
}

async function storeResult(
  deps: Deps,
  tx: Tx,
  organizationId: string,
  date: string,
  result: Verification,
): Promise<void> {
  const now = deps.clock.now();
  const head = { head_seq: result.head && BigInt(result.head.seq), head_hash: result.head?.hash ?? null };
  const [stored] = await tx
    .insert(ledgerVerifications)
    .values({ organization_id: organizationId, date, ok: result.ok, ...head, result, completed_at: now })
    .onConflictDoNothing()
    .returning({ date: ledgerVerifications.date });
  // Another process was faster.
  if (!stored) return;
  const event = {
    organization_id: organizationId,
    type: 'ledger.verified',
    generation_id: null,
    present: () => result,
  } as const;
  await insertEvent(deps, tx, event, now);
  await mailResult(deps, tx, organizationId, date, result);
}

async function mailResult(
  deps: Deps,
  tx: Tx,
  organizationId: string,
  date: string,
  { ok, head, problem, checked_entries }: Verification,
): Promise<void> {
  const { name, verification_mail_to } = organizations;
  const [organization] = await tx
    .select({ name, to: verification_mail_to })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (!organization?.to) return;
  const lines = [
    `Organization: ${organization.name} (${organizationId})`,
    `Date: ${date}`,
    ok ? 'Result: every entry and sum is right.' : `Result: WRONG. ${problem?.message ?? ''}`,
    `Entries: ${checked_entries}`,
    head ? `Last entry: ${head.seq}\nHash: ${head.hash}` : 'Last entry: none',
  ];
  const advice = 'Keep this mail. A later verification must contain this entry with this hash.';
  const text = `${lines.join('\n')}\n\n${advice}`;
  const subject = ok ? `Ledger verified on ${date}` : `Ledger verification failed on ${date}`;
  await enqueueMail(deps, tx, { organization_id: organizationId, to: organization.to, subject, text });
}
