import { index, pgTable, text } from 'drizzle-orm/pg-core';
import type { SignInMethod } from '#contract/resources/session.ts';
import { timestampColumn } from './columns.ts';
import { apiKeys } from './organization-schema.ts';

const keyIdColumn = () =>
  text('key_id')
    .notNull()
    .references(() => apiKeys.id);

/** Unused sign-in tokens; using one deletes its row. */
export const signInTokens = pgTable(
  'sign_in_tokens',
  {
    /** SHA-256 of the whole token, hex. */
    token_sha256: text('token_sha256').primaryKey(),
    key_id: keyIdColumn(),
    /** The address that it was mailed to, which must still be the person's; null: it was shown. */
    email: text('email'),
    created_at: timestampColumn('created_at').notNull(),
    expires_at: timestampColumn('expires_at').notNull(),
  },
  (table) => [
    index('sign_in_tokens_expiry').on(table.expires_at),
    index('sign_in_tokens_key').on(table.key_id, table.created_at),
  ],
);

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the whole secret, hex. */
    secret_sha256: text('secret_sha256').primaryKey(),
    /** Public id. */
    id: text('id').notNull().unique(),
    key_id: keyIdColumn(),
    method: text('method').$type<SignInMethod>().notNull(),
    /** Of the last use. */
    address: text('address'),
    user_agent: text('user_agent'),
    /** The secret before the last rotation, which parallel requests may still send for a minute. */
    previous_sha256: text('previous_sha256').unique(),
    rotated_at: timestampColumn('rotated_at').notNull(),
    last_used_at: timestampColumn('last_used_at').notNull(),
    created_at: timestampColumn('created_at').notNull(),
    /** Extended by use. */
    expires_at: timestampColumn('expires_at').notNull(),
  },
  (table) => [index('sessions_expiry').on(table.expires_at), index('sessions_key').on(table.key_id, table.expires_at)],
);
