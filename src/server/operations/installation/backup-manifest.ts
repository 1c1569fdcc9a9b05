import * as z from 'zod/mini';

/** Changes when an older program could not read the file. */
export const BACKUP_FORMAT = 1;
export const HEADER_ENTRY = 'backup.json';
export const MANIFEST_ENTRY = 'manifest.json';

const Head = z.object({ seq: z.string().check(z.regex(/^\d+$/)), hash: z.string() });
const Count = z.int().check(z.nonnegative());

/** First entry of a backup. */
export const BackupHeader = z.object({
  format: z.int(),
  product: z.literal('emulsion'),
  version: z.string(),
  created_at: z.string(),
});

/** Last entry of a backup, so that a file without it is known to be incomplete. */
export const BackupManifest = z.extend(BackupHeader, {
  /** The newest migration of the database. */
  migration: z.object({ tag: z.string(), when: z.int() }),
  organizations: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** Newest entry of the ledger and of the audit log; null: none. */
      ledger_head: z.nullable(Head),
      audit_head: z.nullable(Head),
    }),
  ),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      rows: Count,
    }),
  ),
  media: z.object({
    /** Whether the backup contains the files, or only lists them. */
    included: z.boolean(),
    count: Count,
    size_bytes: Count,
    /** Keys of files that were missing, or whose content was not the recorded one: at most 100. */
    damaged: z.array(z.string()),
    damaged_count: Count,
  }),
  /** What SECRET_KEY encrypts in the rows. The key itself is never part of a backup. */
  encrypted_with_secret_key: z.array(z.string()),
  /** A signature of `created_at`, which tells whether an installation has the same SECRET_KEY; null: unknown. */
  secret_key_proof: z.nullable(z.string()),
  /** Every entry before this one, except the files of media: their hashes are in the lists of media. */
  entries: z.record(z.string(), z.object({ size_bytes: Count, sha256: z.string() })),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** A line of a list of media. */
export const MediaLine = z.object({ key: z.string(), size_bytes: Count, sha256: z.string() });
export type MediaLine = z.infer<typeof MediaLine>;

export const tableEntry = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy.gz`;
export const mediaListEntry = (part: number): string => `media/${String(part).padStart(6, '0')}.jsonl.gz`;
export const objectEntry = (key: string): string => `objects/${key}`;

/** The file can't be restored; `message` is one sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
