import { recordAuditEvent, shellActor } from '#server/accounts/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import { listSealedSecrets } from './sealed-secrets.ts';

export interface SecretRotation {
  rotated: number;
  /** Encrypted with SECRET_KEY already. */
  current: number;
  /** Descriptions of what no key decrypts. */
  unreadable: readonly string[];
}

/**
 * Encrypts with SECRET_KEY what an earlier key encrypted. Rows that change meanwhile are left alone: they are written
 * with the newest key. Decision: Secret keys
 */
export async function rotateSecrets({ db, clock, secrets }: Deps, organizationId: string): Promise<SecretRotation> {
  return db.transaction(async (tx) => {
    const stored = await listSealedSecrets(tx);
    const unreadable: string[] = [];
    let rotated = 0;
    for (const { purpose, owner, sealed, description, replace } of stored) {
      if (secrets.isCurrent(purpose, owner, sealed)) continue;
      const text = secrets.decrypt(purpose, owner, sealed);
      if (text === null) {
        unreadable.push(description);
        continue;
      }
      await replace(tx, secrets.encrypt(purpose, owner, text));
      rotated += 1;
    }
    if (rotated > 0) {
      const change = {
        action: 'installation.secrets_rotated',
        target: { type: 'secrets' },
        after: { rotated },
      } as const;
      await recordAuditEvent(tx, shellActor(organizationId), change, clock.now());
    }
    return { rotated, current: stored.length - rotated - unreadable.length, unreadable };
  });
}
