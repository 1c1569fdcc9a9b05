import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { AuditAction, AuditActorType } from '#contract/audit-actions.ts';
import { timestampColumn } from './columns.ts';
import { organizationIdColumn, organizations } from './organization-schema.ts';

/** Assigned by the trigger that appends events; a value in an insert is ignored. */
const sequenceColumn = (name: string) =>
  bigint(name, { mode: 'bigint' })
    .notNull()
    .default(sql`0`);

/** One row per organization, written only by the trigger that appends events (`append_audit_event`). */
export const auditHeads = pgTable('audit_heads', {
  organization_id: text('organization_id')
    .primaryKey()
    .references(() => organizations.id),
  last_seq: bigint('last_seq', { mode: 'bigint' }).notNull(),
  last_hash: text('last_hash').notNull(),
  last_event_at: timestampColumn('last_event_at').notNull(),
});

/** Append-only and hash-chained, enforced by triggers. Decision: Audit log */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    /** 1, 2, 3 … without gaps in an organization. */
    seq: sequenceColumn('seq'),
    action: text('action').$type<AuditAction>().notNull(),
    actor_type: text('actor_type').$type<AuditActorType>().notNull(),
    /** Id of a person or key; null: unknown, the shell or the service. */
    actor_id: text('actor_id'),
    actor_name: text('actor_name').notNull(),
    /** null: not from the network. */
    address: text('address'),
    target_type: text('target_type').notNull(),
    target_id: text('target_id'),
    target_name: text('target_name'),
    before: jsonb('before').$type<Readonly<Record<string, unknown>>>(),
    after: jsonb('after').$type<Readonly<Record<string, unknown>>>(),
    /** Never before that of the previous event. */
    created_at: timestampColumn('created_at').notNull(),
    hash: text('hash').notNull().default(''),
  },
  (table) => [
    uniqueIndex('audit_events_seq').on(table.organization_id, table.seq),
    index('audit_events_action').on(table.organization_id, table.action, table.seq),
    index('audit_events_actor').on(table.organization_id, table.actor_id, table.seq),
    index('audit_events_target').on(table.organization_id, table.target_id, table.seq),
    index('audit_events_time').on(table.organization_id, table.created_at, table.seq),
  ],
);
