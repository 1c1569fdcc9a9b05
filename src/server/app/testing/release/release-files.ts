import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { VERSION } from '#server/platform/core/version.ts';
import { MIGRATIONS_FOLDER } from '#server/platform/db/pending-migrations.ts';

const FOLDER = join(import.meta.dirname, 'databases');
const MAX_BYTES = 2_000_000;

/** What each database of a released version is kept as: a script of SQL, and a folder of the embedded one. */
export type ReleaseFile = 'postgres.sql' | 'embedded.tar';

interface Release {
  /** SHA-256 of each migration that the version has, by file. */
  migrations: Readonly<Record<string, string>>;
  /** All of them have rows. */
  tables: readonly string[];
}

/** Lists the versions whose databases are kept, oldest first. */
export const listReleases = async (): Promise<string[]> => (existsSync(FOLDER) ? (await readdir(FOLDER)).sort() : []);

export async function readRelease(version: string, file: ReleaseFile): Promise<Buffer> {
  return promisify(brotliDecompress)(await readFile(join(FOLDER, version, `${file}.br`)));
}

export const describeRelease = async (version: string): Promise<Release> =>
  JSON.parse(await readFile(join(FOLDER, version, 'release.json'), 'utf8')) as Release;

/** Keeps a database of this version, and what made it. @throws if it is too large for the repository */
export async function writeRelease(file: ReleaseFile, content: Uint8Array, tables: Release['tables']): Promise<void> {
  const folder = join(FOLDER, VERSION);
  await mkdir(folder, { recursive: true });
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  const compressed = await promisify(brotliCompress)(content, { params });
  if (compressed.length > MAX_BYTES) throw new Error(`${file} has ${compressed.length} bytes, more than ${MAX_BYTES}.`);
  await writeFile(join(folder, `${file}.br`), compressed);
  const release: Release = { migrations: await hashMigrations(), tables };
  await writeFile(join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
}

/** Returns the SHA-256 of each migration of this working tree. */
export async function hashMigrations(): Promise<Release['migrations']> {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  const entries = names.map(async (name) => {
    const text = await readFile(join(MIGRATIONS_FOLDER, name));
    return [name, createHash('sha256').update(text).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
