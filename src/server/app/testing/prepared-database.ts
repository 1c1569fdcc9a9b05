import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { type Logger, pino } from 'pino';
import { openPglite } from '#server/platform/db/open-database.ts';
import { openJobQueue } from '#server/platform/jobs/job-queue.ts';
import { runProcess } from '#server/platform/media/run-process.ts';

const MIGRATIONS = join(import.meta.dirname, '../../platform/db/migrations');

let loaded: Promise<Blob> | undefined;

/** Returns a database in its state after the first start of the service. */
export const loadPreparedDatabase = (log: Logger): Promise<Blob> => (loaded ??= loadFile(log));

async function loadFile(log: Logger): Promise<Blob> {
  const { buffer } = new Uint8Array(await readFile(await preparedFile(log)));
  return new BufferedBlob(buffer);
}

/** Reading a blob of this size in parts takes as long as opening the database in it. */
class BufferedBlob extends Blob {
  readonly #buffer: ArrayBuffer;

  constructor(buffer: ArrayBuffer) {
    super([]);
    this.#buffer = buffer;
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.#buffer);
  }
}

/** Unpacks the prepared database to a folder, for a service in its own process. */
export async function unpackPreparedDatabase(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { exitCode, stderr } = await runProcess([
    'tar',
    '-xf',
    await preparedFile(pino({ level: 'silent' })),
    '-C',
    folder,
  ]);
  if (exitCode !== 0) throw new Error(`tar: ${stderr}`);
}

/** Creating the database takes seconds, so it is cached in the machine's temp directory until the migrations change. */
async function preparedFile(log: Logger): Promise<string> {
  const file = join(tmpdir(), `emulsion-test-database-${await databaseVersion()}.tar`);
  if (existsSync(file)) return file;
  const part = `${file}.${randomUUID()}`;
  await writeFile(part, await createDump(log));
  await rename(part, file);
  return file;
}

async function databaseVersion(): Promise<string> {
  const hash = createHash('sha256');
  const packageOf = (name: string) =>
    readFile(join(import.meta.dirname, '../../../../node_modules', name, 'package.json'));
  hash.update(await readFile(join(MIGRATIONS, 'meta/_journal.json')));
  for (const name of ['@electric-sql/pglite', 'pg-boss']) hash.update(await packageOf(name));
  for (const name of (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()) {
    hash.update(await readFile(join(MIGRATIONS, name)));
  }
  for (const file of [join(import.meta.dirname, '../../platform/jobs/jobs.ts'), import.meta.filename])
    hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

async function createDump(log: Logger): Promise<Uint8Array<ArrayBuffer>> {
  const database = await openPglite({ dump: null }, log);
  const queue = await openJobQueue(database.queue, { log, supervise: false });
  await queue.stop(1_000);
  if (!('pglite' in database.queue && database.queue.pglite instanceof PGlite))
    throw new Error('Not the embedded database.');
  await dropTemplates(database.queue.pglite);
  const dump = await database.queue.pglite.dumpDataDir('none');
  await database.close();
  return new Uint8Array(await dump.arrayBuffer());
}

/** The service never uses them, but they are two thirds of the files, and opening a database costs time for each. */
async function dropTemplates(lite: PGlite): Promise<void> {
  await lite.exec(`update pg_database set datistemplate = false where datname in ('template0', 'template1')`);
  for (const name of ['template0', 'template1']) await lite.exec(`drop database ${name}`);
  await lite.exec('checkpoint');
}
