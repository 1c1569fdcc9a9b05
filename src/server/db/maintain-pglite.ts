import type { PGlite } from '@electric-sql/pglite';

/** What PostgreSQL does by itself and PGlite does not: it has no autovacuum and no checkpointer. */
export async function maintainPglite(lite: Pick<PGlite, 'exec'>): Promise<void> {
  // One by one: statements that are sent together are one transaction, and neither may be in one.
  await lite.exec('VACUUM (ANALYZE)');
  await lite.exec('CHECKPOINT');
}
