import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Role } from '#contract/permissions.ts';
import { timestampColumn } from './columns.ts';
import { apiKeys, organizationIdColumn } from './organization-schema.ts';

/** People of an organization. A removed one keeps the row: their work and entries name it. Decision: People */
export const people = pgTable(
  'people',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    name: text('name').notNull(),
    /** Lower case, and confirmed; null: none is. Decision: Mail addresses */
    email: text('email'),
    /** Lower case; waits for its confirmation, blocks nobody and gets no sign-in link. */
    pending_email: text('pending_email'),
    role: text('role').$type<Role>().notNull(),
    /** The key row that a person's sessions act as. Nobody knows its secret. */
    key_id: text('key_id')
      .notNull()
      .unique()
      .references(() => apiKeys.id),
    oidc_issuer: text('oidc_issuer'),
    oidc_subject: text('oidc_subject'),
    created_at: timestampColumn('created_at').notNull(),
    last_active_at: timestampColumn('last_active_at'),
    removed_at: timestampColumn('removed_at'),
  },
  (table) => [
    index('people_organization').on(table.organization_id, table.id),
    uniqueIndex('people_email')
      .on(table.email)
      .where(sql`removed_at is null`),
    uniqueIndex('people_oidc')
      .on(table.oidc_issuer, table.oidc_subject)
      .where(sql`removed_at is null`),
  ],
);

const personIdColumn = () =>
  text('person_id')
    .notNull()
    .references(() => people.id);

export const invitations = pgTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    organization_id: organizationIdColumn(),
    name: text('name'),
    email: text('email'),
    role: text('role').$type<Role>().notNull(),
    /** SHA-256 of the whole token, hex. */
    token_sha256: text('token_sha256').notNull().unique(),
    /** null: invited on the command line. */
    invited_by: text('invited_by').references(() => apiKeys.id),
    created_at: timestampColumn('created_at').notNull(),
    expires_at: timestampColumn('expires_at').notNull(),
    accepted_by: text('accepted_by').references(() => people.id),
    revoked_at: timestampColumn('revoked_at'),
  },
  (table) => [index('invitations_organization').on(table.organization_id, table.id)],
);

export const passkeys = pgTable(
  'passkeys',
  {
    /** The credential id of the authenticator, base64url. */
    id: text('id').primaryKey(),
    person_id: personIdColumn(),
    name: text('name').notNull(),
    /** COSE key, base64url. */
    public_key: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    backed_up: boolean('backed_up').notNull(),
    created_at: timestampColumn('created_at').notNull(),
    last_used_at: timestampColumn('last_used_at'),
  },
  (table) => [index('passkeys_person').on(table.person_id)],
);

/** Challenges of passkeys, states of sign-ins at an issuer and links that confirm an address; using one deletes its row. */
export const signInChallenges = pgTable(
  'sign_in_challenges',
  {
    /** SHA-256 of the text that the browser keeps or the link has, hex. */
    id_sha256: text('id_sha256').primaryKey(),
    purpose: text('purpose').$type<'passkey.register' | 'passkey.sign_in' | 'oidc' | 'email.confirm'>().notNull(),
    /** The challenge, the state and verifiers as sealed JSON, or the address. */
    value: text('value').notNull(),
    person_id: text('person_id').references(() => people.id),
    expires_at: timestampColumn('expires_at').notNull(),
  },
  (table) => [index('sign_in_challenges_expiry').on(table.expires_at)],
);
