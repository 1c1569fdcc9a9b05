import { statfs } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import type { Deps } from '#server/deps.ts';

/** The embedded database extends its files by less than this at a time. */
const WRITABLE_BYTES = 65_536;

/** @throws where the database does not answer, or where the embedded one has no disk space left to write to */
export async function pingDatabase({ config, db }: Pick<Deps, 'config' | 'db'>): Promise<void> {
  await db.execute(sql`select 1`);
  if (config.database_url !== null) return;
  const { bavail, bsize } = await statfs(config.data_dir);
  if (bavail * bsize < WRITABLE_BYTES) throw new Error(`The disk of ${config.data_dir} is full.`);
}
