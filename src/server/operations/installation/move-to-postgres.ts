import { recordAuditEvent, shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { systemClock } from '#server/platform/core/clock.ts';
import type { Db } from '#server/platform/db/db.ts';
import { readNewestMigration } from '#server/platform/db/pending-migrations.ts';
import { fillDatabase } from '#server/platform/db/rows/fill-database.ts';
import { inSnapshot, readTables } from '#server/platform/db/rows/read-tables.ts';
import type { BackupManifest } from './backup-manifest.ts';
import { readHeads } from './write-backup.ts';

export interface MovedDatabase {
  row_count: number;
  organizations: BackupManifest['organizations'];
}

/**
 * Copies all rows into an empty PostgreSQL database in one transaction. The source is only read.
 * @throws {DatabaseNotEmptyError}
 */
export const moveToPostgres = (source: Db, target: Db): Promise<MovedDatabase> =>
  inSnapshot(source, async (snapshot) => {
    const { when } = await readNewestMigration(snapshot);
    const organizations = await readHeads(snapshot);
    let rowCount = 0;
    await fillDatabase(target, when, readTables(snapshot), {
      onFilled: async (tx, counts) => {
        for (const count of counts.values()) rowCount += count;
        for (const { id } of organizations) {
          const change = { action: 'installation.moved', target: { type: 'database', name: 'PostgreSQL' } } as const;
          await recordAuditEvent(tx, shellActor(id), change, systemClock.now());
        }
      },
    });
    return { row_count: rowCount, organizations };
  });
