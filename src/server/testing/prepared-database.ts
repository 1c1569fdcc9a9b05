import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Logger } from 'pino';
import { openPglite } from '../db/open.ts';
import { openQueue } from '../jobs/queue.ts';

const MIGRATIONS = join(import.meta.dirname, '../db/migrations');

/**
 * An empty database as the service leaves it after its first start. To make one takes seconds, so it is kept among the
 * temporary files of the machine for as long as the migrations stay the same.
 */
export async function prepared(log: Logger): Promise<Blob> {
  const file = join(tmpdir(), `emulsion-test-database-${await versionOf()}.tar`);
  const kept = await readFile(file).catch(() => null);
  if (kept) return new Blob([kept]);
  const made = await make(log);
  const part = `${file}.${randomUUID()}`;
  await writeFile(part, made);
  await rename(part, file);
  return new Blob([made]);
}

async function versionOf(): Promise<string> {
  const hash = createHash('sha256');
  const packageOf = (name: string) =>
    readFile(join(import.meta.dirname, '../../../node_modules', name, 'package.json'));
  for (const name of ['@electric-sql/pglite', 'pg-boss']) hash.update(await packageOf(name));
  for (const name of (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()) {
    hash.update(await readFile(join(MIGRATIONS, name)));
  }
  hash.update(await readFile(join(import.meta.dirname, '../jobs/jobs.ts')));
  return hash.digest('hex').slice(0, 16);
}

async function make(log: Logger): Promise<Uint8Array<ArrayBuffer>> {
  const database = await openPglite({ dump: null }, log);
  const queue = await openQueue(database.queue, { log, supervise: false });
  await queue.stop(1_000);
  if (!('pglite' in database.queue && database.queue.pglite instanceof PGlite))
    throw new Error('Not the embedded database.');
  const dump = await database.queue.pglite.dumpDataDir('none');
  await database.close();
  return new Uint8Array(await dump.arrayBuffer());
}
