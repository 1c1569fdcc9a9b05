import type { PGlite } from '@electric-sql/pglite';

/** Runs what PostgreSQL does in the background: PGlite has neither autovacuum nor a checkpointer. */
export async function maintainPglite(lite: Pick<PGlite, 'exec'>): Promise<void> {
  // Statements sent together form one transaction, and neither of these may run in one.
  await lite.exec('VACUUM (ANALYZE)');
  await lite.exec('CHECKPOINT');
}
