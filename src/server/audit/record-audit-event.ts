import type { AuditAction, AuditActorType } from '#contract/audit-actions.ts';
import type { Caller } from '#server/core/caller.ts';
import { createId } from '#server/core/create-id.ts';
import { auditEvents } from '#server/db/audit-schema.ts';
import type { Tx } from '#server/db/db.ts';

/** Who made a change: a caller, the shell, the service itself, or an address that nobody is known for. */
export type AuditActor =
  | Pick<Caller, 'organization_id' | 'key_id' | 'key_name' | 'person' | 'address'>
  | { organization_id: string; type: Exclude<AuditActorType, 'person' | 'key'>; name: string; address: string | null };

export interface AuditChange {
  action: AuditAction;
  target: { type: string; id?: string | null; name?: string | null };
  /** What changed, never a secret; only the fields that differ. */
  before?: Readonly<Record<string, unknown>> | undefined;
  after?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Appends an event to the audit log in the transaction of its change. Call it last: it locks the log of the
 * organization until the transaction ends. Decision: Audit log
 */
export async function recordAuditEvent(
  tx: Tx,
  actor: AuditActor,
  { action, target, before, after }: AuditChange,
  now: Date,
): Promise<void> {
  await tx.insert(auditEvents).values({
    id: createId('aud', now),
    organization_id: actor.organization_id,
    action,
    ...presentActor(actor),
    target_type: target.type,
    target_id: target.id ?? null,
    target_name: target.name ?? null,
    before: before ?? null,
    after: after ?? null,
    created_at: now,
  });
}

function presentActor(actor: AuditActor) {
  if ('type' in actor) {
    return { actor_type: actor.type, actor_id: null, actor_name: actor.name, address: actor.address };
  }
  const { person, key_id, key_name } = actor;
  const address = actor.address === '' ? null : actor.address;
  return person
    ? { actor_type: 'person' as const, actor_id: person.id, actor_name: person.name, address }
    : { actor_type: 'key' as const, actor_id: key_id, actor_name: key_name, address };
}
