import { pgTable, text } from 'drizzle-orm/pg-core';
import type { AiLabel, CredentialPlace } from '#contract/resources/credentials.ts';
import { timestampColumn } from './columns.ts';
import { assets } from './schema.ts';

/** Content credentials of an output. Outputs of before they were signed have no row. */
export const assetCredentials = pgTable('asset_credentials', {
  asset_id: text('asset_id')
    .primaryKey()
    .references(() => assets.id, { onDelete: 'cascade' }),
  place: text('place').$type<CredentialPlace>().notNull(),
  ai: text('ai').$type<AiLabel>(),
  /** Of the signed hash of the generation's record, base64url. */
  record_salt: text('record_salt').notNull(),
  /** The manifest beside the file, base64. */
  sidecar: text('sidecar'),
  created_at: timestampColumn('created_at').notNull(),
});

/** Certificates that this installation made itself. The newest signs. */
export const signingCertificates = pgTable('signing_certificates', {
  id: text('id').primaryKey(),
  /** PEM, the signing certificate first, its issuer last. */
  chain: text('chain').notNull(),
  /** PKCS #8 in PEM, encrypted. */
  key_encrypted: text('key_encrypted').notNull(),
  created_at: timestampColumn('created_at').notNull(),
});
