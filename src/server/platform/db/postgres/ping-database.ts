import { statfs } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';

/** The embedded database extends its files in smaller steps. */
const WRITABLE_BYTES = 65_536;

/** @throws if the database does not respond, or if the embedded one has no disk space left */
export async function pingDatabase({ config, db }: Deps): Promise<void> {
  await db.execute(sql`select 1`);
  if (config.databaseUrl !== null) return;
  const { bavail, bsize } = await statfs(config.dataDir);
  if (bavail * bsize < WRITABLE_BYTES) throw new Error(`The disk of ${config.dataDir} is full.`);
}
