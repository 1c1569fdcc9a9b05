import { recordAuditEvent, shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { verifyLedger } from '#server/accounts/billing/ledger/verify-ledger.ts';
import { systemClock } from '#server/platform/core/clock.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { findMigration } from '#server/platform/db/pending-migrations.ts';
import { fillDatabase } from '#server/platform/db/rows/fill-database.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { BackupError, type BackupManifest } from './backup-manifest.ts';
import { readBackupObjects, readBackupRows } from './read-backup.ts';

/**
 * Restores a verified backup into an empty database. If anything fails, the database stays empty and no file is added.
 * @throws {DatabaseNotEmptyError} @throws {BackupError}
 */
export async function restoreBackup(
  { db, storage }: { db: Db; storage: Storage },
  file: string,
  manifest: BackupManifest,
): Promise<void> {
  await findMigration(manifest.migration.when);
  const added: string[] = [];
  try {
    await fillDatabase(db, manifest.migration.when, readBackupRows(file, manifest), {
      onFilled: async (tx, counts) => {
        for (const { name, rows } of manifest.tables)
          if ((counts.get(name) ?? 0) !== rows)
            throw new BackupError(`Rows of the table ${name} are missing in ${file}.`);
        await recordRestore(tx, manifest);
        if (manifest.media.included) await restoreObjects(storage, file, added);
      },
    });
  } catch (error) {
    for (const key of added) await storage.delete(key).catch(() => undefined);
    throw error;
  }
}

async function recordRestore(tx: Tx, { organizations, created_at, version }: BackupManifest): Promise<void> {
  for (const { id } of organizations) {
    const change = {
      action: 'installation.restored',
      target: { type: 'backup', name: created_at },
      after: { created_at, version },
    } as const;
    await recordAuditEvent(tx, shellActor(id), change, systemClock.now());
  }
}

async function restoreObjects(storage: Storage, file: string, added: string[]): Promise<void> {
  for await (const { key, size_bytes, sha256, content } of readBackupObjects(file)) {
    if ((await storage.stat(key))?.size_bytes === size_bytes) continue;
    added.push(key);
    const written = await storage.put(key, content);
    // Files that were damaged before the backup are restored as they are.
    if (written.size_bytes !== size_bytes) throw new BackupError(`The file ${key} could not be restored (${sha256}).`);
  }
}

/**
 * Verifies each ledger and audit log, and that they contain the newest entries of the source.
 * @returns sentences about what is wrong
 */
export const verifyHeads = (db: Db, organizations: BackupManifest['organizations']): Promise<string[]> =>
  withLongStatements(async () => {
    const problems: string[] = [];
    for (const { id, name, ledger_head } of organizations) {
      const knownHead =
        ledger_head?.seq === '0' || !ledger_head ? undefined : { ...ledger_head, seq: BigInt(ledger_head.seq) };
      const { problem } = await verifyLedger({ db, clock: systemClock }, id, { known_head: knownHead });
      if (problem) problems.push(`The ledger of ${name} does not verify: ${problem.message}`);
    }
    return problems;
  });
