import { and, desc, eq } from 'drizzle-orm';
import { findOperatorId } from '#server/accounts/audit/find-operator-id.ts';
import { recordAuditEvent, serviceActor } from '#server/accounts/audit/record-audit-event.ts';
import { lockOrganization } from '#server/accounts/keys/lock-key.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import type { Deps } from '#server/platform/deps.ts';

const ACTION = 'installation.email_trust_changed';

/** Records that mail addresses of an issuer begin or cease to count as verified without its word. Decision: People */
export async function recordEmailTrust({ db, clock, config: { oidc }, log }: Deps): Promise<void> {
  const trustedIssuer = oidc?.trusts_email ? oidc.issuer : null;
  if (trustedIssuer !== null) {
    log.warn({ issuer: trustedIssuer }, 'OIDC_TRUST_EMAIL is set: every mail address of the issuer counts as verified');
  }
  await db.transaction(async (tx) => {
    const operatorId = await findOperatorId(tx);
    if (operatorId === null) return;
    await lockOrganization(tx, operatorId);
    const isTrust = and(eq(auditEvents.organization_id, operatorId), eq(auditEvents.action, ACTION));
    const [newest] = await tx.select().from(auditEvents).where(isTrust).orderBy(desc(auditEvents.seq)).limit(1);
    const before = { trusted_issuer: newest?.after?.['trusted_issuer'] ?? null };
    if (before.trusted_issuer === trustedIssuer) return;
    const target = { type: 'identity_provider', name: oidc?.issuer ?? null };
    await recordAuditEvent(
      tx,
      serviceActor(operatorId),
      { action: ACTION, target, before, after: { trusted_issuer: trustedIssuer } },
      clock.now(),
    );
  });
}
