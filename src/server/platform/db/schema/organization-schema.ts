import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import type { AlertMailRole } from '#contract/alert-kinds.ts';
import type { KeyKind } from '#contract/permissions.ts';
import type { KeyScopes } from '#contract/resources/api-key.ts';
import { microUsdColumn, timestampColumn } from './columns.ts';

export const organizations = pgTable('organizations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** Members see only their own work. Decision: Own work */
  members_see_own_work_only: boolean('members_see_own_work_only').notNull().default(false),
  /** Orders of members above this wait for an approval; null: none do. Decision: Approvals */
  approval_above_micro_usd: microUsdColumn('approval_above_micro_usd'),
  /** Available funds below this raise an alert; null: never. Decision: Alerts */
  low_balance_micro_usd: microUsdColumn('low_balance_micro_usd').default(sql`5000000`),
  /** Bills of past months that differ by more than this from our cost raise an alert; null: never. Decision: Alerts */
  bill_difference_percent: integer('bill_difference_percent').default(2),
  /** Who gets alerts by mail: people with these roles, and further addresses. */
  alert_mail_roles: text('alert_mail_roles').array().$type<AlertMailRole[]>().notNull().default(['administrator']),
  alert_mail_to: text('alert_mail_to').array().notNull().default([]),
  /** Gets the result of each daily verification. */
  verification_mail_to: text('verification_mail_to'),
  /** Public pages can be created and opened. Decision: Share pages */
  sharing_enabled: boolean('sharing_enabled').notNull().default(true),
  /** Content credentials state the prompt. Decision: Content credentials */
  prompt_in_credentials: boolean('prompt_in_credentials').notNull().default(false),
  created_at: timestampColumn('created_at').notNull(),
});

export const organizationIdColumn = () =>
  text('organization_id')
    .notNull()
    .references(() => organizations.id);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    name: text('name').notNull(),
    kind: text('kind').$type<KeyKind>().notNull(),
    /** SHA-256 of the whole key, hex. */
    secret_sha256: text('secret_sha256').notNull().unique(),
    /** The end of the key, to recognize it by. */
    last_four: text('last_four'),
    /** The person whom it belongs to; null: a program. References `people`. */
    person_id: text('person_id'),
    /** Stands for the sessions of its person, and is in no list of keys. */
    is_person: boolean('is_person').notNull().default(false),
    scopes: jsonb('scopes').$type<KeyScopes>(),
    expires_at: timestampColumn('expires_at'),
    /** The secret before the last rotation, valid until `previous_valid_until`. */
    previous_sha256: text('previous_sha256').unique(),
    previous_valid_until: timestampColumn('previous_valid_until'),
    created_at: timestampColumn('created_at').notNull(),
    last_used_at: timestampColumn('last_used_at'),
    revoked_at: timestampColumn('revoked_at'),
  },
  (table) => [
    index('api_keys_organization').on(table.organization_id, table.id),
    index('api_keys_person')
      .on(table.person_id)
      .where(sql`person_id is not null`),
  ],
);
