import { Readable, type Writable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { VERSION } from '#server/platform/core/version.ts';
import { auditHeads } from '#server/platform/db/schema/audit-schema.ts';
import { accounts } from '#server/platform/db/schema/billing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { readNewestMigration } from '#server/platform/db/pending-migrations.ts';
import { inSnapshot, readTables } from '#server/platform/db/rows/read-tables.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type Storage, StorageError } from '#server/platform/storage/storage.ts';
import {
  BACKUP_FORMAT,
  type BackupManifest,
  HEADER_ENTRY,
  MANIFEST_ENTRY,
  type MediaLine,
  mediaListEntry,
  objectEntry,
  tableEntry,
} from './backup-manifest.ts';
import { listStoredMedia } from './list-stored-media.ts';
import { listSealedSecrets } from './sealed-secrets.ts';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';

const MAX_DAMAGED_KEYS = 100;

export interface BackupOptions {
  /** Whether to include the files of media. */
  includes_media: boolean;
  signal: AbortSignal;
}

/**
 * Writes a backup: all rows of one moment, then the list or the files of media, then the manifest. Memory does not grow
 * with the database. Decision: Backups
 */
export async function writeBackup(
  deps: Pick<Deps, 'db' | 'clock' | 'storage'> & { secrets: Deps['secrets'] | null },
  out: Writable,
  { includes_media, signal }: BackupOptions,
): Promise<BackupManifest> {
  const archive = openArchive(out, signal);
  const createdAt = deps.clock.now().toISOString();
  const header = { format: BACKUP_FORMAT, product: 'emulsion' as const, version: VERSION, created_at: createdAt };
  await archive.addJson(HEADER_ENTRY, header);
  const rows = await inSnapshot(deps.db, (tx) => addRows(archive, tx, signal));
  // A file is stored before the row that names it, so every file of the snapshot exists, unless it was deleted since.
  const media = await addMedia(deps, archive, { includes_media, signal });
  const secretKeyProof = deps.secrets?.sign('backup', createdAt) ?? null;
  const manifest = { ...header, ...rows, media, secret_key_proof: secretKeyProof, entries: { ...archive.entries } };
  await archive.addJson(MANIFEST_ENTRY, manifest);
  await archive.close();
  return manifest;
}

async function addRows(archive: ArchiveWriter, tx: Tx, signal: AbortSignal) {
  const tables: BackupManifest['tables'] = [];
  let part = 0;
  for await (const { table, row_count, text } of readTables(tx)) {
    signal.throwIfAborted();
    let entry = tables.at(-1);
    if (entry?.name !== table.name) {
      entry = { name: table.name, columns: [...table.columns], rows: 0 };
      tables.push(entry);
      part = 0;
    }
    if (row_count === 0) continue;
    entry.rows += row_count;
    await archive.addCompressed(tableEntry(table.name, (part += 1)), text);
  }
  return {
    migration: await readNewestMigration(tx),
    organizations: await readHeads(tx),
    tables,
    encrypted_with_secret_key: (await listSealedSecrets(tx)).map(({ description }) => description),
  };
}

/** Reads the newest entry of each ledger and audit log. */
export async function readHeads(tx: Pick<Tx, 'select'>): Promise<BackupManifest['organizations']> {
  const rows = await tx
    .select({
      id: organizations.id,
      name: organizations.name,
      ledger: { seq: accounts.last_seq, hash: accounts.last_hash },
      audit: { seq: auditHeads.last_seq, hash: auditHeads.last_hash },
    })
    .from(organizations)
    .leftJoin(accounts, eq(accounts.organization_id, organizations.id))
    .leftJoin(auditHeads, eq(auditHeads.organization_id, organizations.id))
    .orderBy(organizations.id);
  return rows.map(({ id, name, ledger, audit }) => ({
    id,
    name,
    ledger_head: ledger && { seq: String(ledger.seq), hash: ledger.hash },
    audit_head: audit && { seq: String(audit.seq), hash: audit.hash },
  }));
}

async function addMedia(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  archive: ArchiveWriter,
  { includes_media, signal }: BackupOptions,
): Promise<BackupManifest['media']> {
  const media: BackupManifest['media'] = {
    included: includes_media,
    count: 0,
    size_bytes: 0,
    damaged: [],
    damaged_count: 0,
  };
  let part = 0;
  for await (const page of listStoredMedia(db)) {
    signal.throwIfAborted();
    await archive.addCompressed(
      mediaListEntry((part += 1)),
      page.map(({ key, size_bytes, sha256 }) => `${JSON.stringify({ key, size_bytes, sha256 })}\n`).join(''),
    );
    for (const line of page) {
      media.count += 1;
      media.size_bytes += line.size_bytes;
      if (!includes_media || (await addObject(storage, archive, line))) continue;
      media.damaged_count += 1;
      if (media.damaged.length < MAX_DAMAGED_KEYS) media.damaged.push(line.key);
    }
  }
  return media;
}

/** @returns false if the file is missing or not the recorded one */
async function addObject(storage: Storage, archive: ArchiveWriter, line: MediaLine): Promise<boolean> {
  const content = await openObject(storage, line);
  if (content === null) return false;
  return (await archive.addStream(objectEntry(line.key), line.size_bytes, content)) === line.sha256;
}

async function openObject(storage: Storage, { key, size_bytes }: MediaLine): Promise<Readable | null> {
  try {
    const stats = await storage.stat(key);
    return stats?.size_bytes === size_bytes ? await storage.read(key) : null;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') return null;
    throw error;
  }
}

const compress = promisify(gzip);
/** Higher levels take several times as long for a few percent. */
const LEVEL = 4;

type Entries = Record<string, { size_bytes: number; sha256: string }>;

interface ArchiveWriter {
  /** Size and hash of each entry, except those of `addStream`. */
  readonly entries: Entries;
  addJson(name: string, value: unknown): Promise<void>;
  addCompressed(name: string, text: string): Promise<void>;
  /** Adds a file of known size. @returns its hash */
  addStream(name: string, sizeBytes: number, content: Readable): Promise<string>;
  close(): Promise<void>;
}

/** Writes a tar archive as a stream. @param signal aborted when `out` is closed early */
function openArchive(out: Writable, signal: AbortSignal): ArchiveWriter {
  const archive = pack();
  const entries: Entries = {};
  const written = pipeline(archive, out, { signal });
  // Reported by `close`, or by the entry that was being written.
  written.catch((error: unknown) => archive.destroy(error instanceof Error ? error : undefined));

  async function add(name: string, size: number, content: Readable): Promise<string> {
    const hash = createHash('sha256');
    const entry = archive.entry({ name, size, mode: 0o600 });
    content.on('data', (bytes: Buffer) => hash.update(bytes));
    await pipeline(content, entry, { signal });
    return hash.digest('hex');
  }
  async function addBuffer(name: string, bytes: Buffer): Promise<void> {
    entries[name] = {
      size_bytes: bytes.length,
      sha256: await add(name, bytes.length, Readable.from([bytes], { objectMode: false })),
    };
  }
  return {
    entries,
    addJson: (name, value) => addBuffer(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`)),
    addCompressed: async (name, text) => addBuffer(name, await compress(text, { level: LEVEL })),
    addStream: add,
    async close() {
      archive.finalize();
      await written;
    },
  };
}
