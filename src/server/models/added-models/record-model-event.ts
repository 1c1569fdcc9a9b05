import type { AuditAction } from '#contract/audit-actions.ts';
import { type AuditActor, type AuditChange, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { addedModels } from '#server/platform/db/schema/added-model-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** Records a change of an added model in the audit log. */
export const recordModelEvent = (
  tx: Tx,
  actor: AuditActor,
  { id, name }: Pick<typeof addedModels.$inferSelect, 'id' | 'name'>,
  change: { action: Extract<AuditAction, `added_model.${string}`> } & Pick<AuditChange, 'before' | 'after'>,
  now: Date,
): Promise<void> => recordAuditEvent(tx, actor, { ...change, target: { type: 'added_model', id, name } }, now);
