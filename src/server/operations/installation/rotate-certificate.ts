import { recordAuditEvent, shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { addCertificate } from '#server/platform/credentials/create-signing-authority.ts';
import type { Deps } from '#server/platform/deps.ts';

/** Makes a new self-made certificate. Files that earlier ones signed are still recognized. */
export async function rotateCertificate({ db, clock, secrets }: Deps, organizationId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { id } = await addCertificate(tx, { clock, secrets });
    const change = { action: 'installation.certificate_rotated', target: { type: 'certificate', id } } as const;
    await recordAuditEvent(tx, shellActor(organizationId), change, clock.now());
  });
}
