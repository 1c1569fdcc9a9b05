import { isDeepStrictEqual } from 'node:util';
import type { AuditAction, AuditActorType } from '#contract/audit-actions.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';

/** Who made a change: a caller, the shell, the service itself, or an address that nobody is known for. */
export type AuditActor =
  | Pick<Caller, 'organization_id' | 'key_id' | 'key_name' | 'person' | 'address'>
  | { organization_id: string; type: Exclude<AuditActorType, 'person' | 'key'>; name: string; address: string | null };

export interface AuditChange {
  action: AuditAction;
  target: { type: string; id?: string | null; name?: string | null };
  /** The fields before and after, never a secret. Equal ones are left out, and long texts are cut. */
  before?: Fields | undefined;
  after?: Fields | undefined;
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
    target_name: target.name == null ? null : cutTexts(target.name),
    before: omitEqual(before, after),
    after: omitEqual(after, before),
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

type Fields = Readonly<Record<string, unknown>>;

function omitEqual(fields: Fields | undefined, others: Fields = {}): Fields | null {
  if (fields === undefined) return null;
  const kept = Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(value, others[name]));
  return Object.fromEntries(kept.map(([name, value]) => [name, cutTexts(value)]));
}

const MAX_TEXT_CHARACTERS = 200;

/** Keeps a long prompt or reason from filling the log. */
function cutTexts<Value>(value: Value): Value;
function cutTexts(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= MAX_TEXT_CHARACTERS ? value : `${value.slice(0, MAX_TEXT_CHARACTERS - 1).toWellFormed()}…`;
  if (Array.isArray(value)) return value.map((item: unknown) => cutTexts(item));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cutTexts(field)]));
}

/** Records that a caller downloads data, and what of it. */
export async function recordExport({ db, clock }: Deps, actor: AuditActor, type: string, query: Fields): Promise<void> {
  const change = { action: 'export.created', target: { type }, after: query } as const;
  await db.transaction((tx) => recordAuditEvent(tx, actor, change, clock.now()));
}

/** The service itself, as in a pause after failures. */
export const serviceActor = (organizationId: string): AuditActor => ({
  organization_id: organizationId,
  type: 'service',
  name: 'Service',
  address: null,
});

/** Commands on the server. */
export const shellActor = (organizationId: string): AuditActor => ({
  organization_id: organizationId,
  type: 'shell',
  name: 'Shell',
  address: null,
});

/** The key that an entry or row names; null: none, as for the shell. */
export const actingKey = (actor: AuditActor): { id: string; name: string } | null =>
  'type' in actor ? null : { id: actor.key_id, name: actor.key_name };
