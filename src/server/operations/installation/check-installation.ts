import { sql } from 'drizzle-orm';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import { listPendingMigrations } from '#server/platform/db/pending-migrations.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type Storage, StorageError } from '#server/platform/storage/storage.ts';
import type { MediaLine } from './backup-manifest.ts';
import { listStoredMedia, sampleMedia } from './list-stored-media.ts';
import { listSealedSecrets } from './sealed-secrets.ts';

const MIN_POSTGRES = 150_000;
const SAMPLE_FILES = 200;
const MAX_NAMED_FILES = 3;
const PARALLEL_FILES = 8;

/** `secrets` is null if no key is set and none was generated yet. */
type CheckDeps = Pick<Deps, 'config' | 'db' | 'storage' | 'media'> & { secrets: Deps['secrets'] | null };

/**
 * Looks for what an installation lacks to work, as after a restore.
 * @param options.checksAllMedia whether every file is looked up, instead of 200 chosen at random
 * @returns a sentence for each problem
 */
export const checkInstallation = (deps: CheckDeps, options: { checksAllMedia: boolean }): Promise<string[]> =>
  withLongStatements(async () => {
    const problems = await findDatabaseProblems(deps);
    if (problems.length > 0) return [...problems, ...findToolProblems(deps)];
    return [
      ...(await findSecretProblems(deps)),
      ...(await findStorageProblems(deps, options.checksAllMedia)),
      ...findToolProblems(deps),
    ];
  });

async function findDatabaseProblems({ db, config }: Pick<Deps, 'config' | 'db'>): Promise<string[]> {
  const [row] = await readRows<{ number: string; version: string }>(
    db,
    sql`select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  );
  if (config.databaseUrl !== null && Number(row?.number) < MIN_POSTGRES)
    return [`The database is PostgreSQL ${row?.version ?? ''}: use version 15 or newer.`];
  const pending = await listPendingMigrations(db);
  if (pending.length === 0) return [];
  const count = pending.length === 1 ? '1 migration is' : `${pending.length} migrations are`;
  return [`${count} pending: start the service, or run \`npm run admin -- migrate\`.`];
}

async function findSecretProblems({ db, secrets }: Pick<CheckDeps, 'db' | 'secrets'>): Promise<string[]> {
  const stored = await listSealedSecrets(db);
  const unreadable = stored.filter(({ purpose, owner, sealed }) => !secrets?.decrypt(purpose, owner, sealed));
  if (unreadable.length > 1 && unreadable.length === stored.length)
    return [
      `SECRET_KEY is not the key of this database: it decrypts none of its ${stored.length} stored secrets. ` +
        'Set the earlier SECRET_KEY, or the content of the earlier secret.key.',
    ];
  return unreadable.map(
    ({ description }) =>
      `SECRET_KEY does not decrypt ${description}: add the earlier key to SECRET_KEYS_OLD, or replace that secret.`,
  );
}

async function findStorageProblems({ db, storage }: Pick<Deps, 'db' | 'storage'>, checksAll: boolean) {
  try {
    await storage.check();
    const found = checksAll ? listStoredMedia(db) : [await sampleMedia(db, SAMPLE_FILES)];
    return await findMediaProblems(storage, found);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return [`Media can't be stored or read: ${error.cause instanceof Error ? error.cause.message : error.message}`];
  }
}

async function findMediaProblems(
  storage: Storage,
  pages: AsyncIterable<MediaLine[]> | Iterable<MediaLine[]>,
): Promise<string[]> {
  const missing: string[] = [];
  const changed: string[] = [];
  let count = 0;
  for await (const page of pages) {
    for (let start = 0; start < page.length; start += PARALLEL_FILES)
      await Promise.all(
        page.slice(start, start + PARALLEL_FILES).map(async ({ key, size_bytes }) => {
          const stats = await storage.stat(key);
          if (!stats) missing.push(key);
          else if (stats.size_bytes !== size_bytes) changed.push(key);
        }),
      );
    count += page.length;
  }
  return [
    ...(missing.length > 0 ? [`${missing.length} of ${count} files are missing: ${nameSome(missing)}`] : []),
    ...(changed.length > 0 ? [`${changed.length} of ${count} files have another size: ${nameSome(changed)}`] : []),
  ];
}

const nameSome = (keys: readonly string[]): string =>
  keys.length <= MAX_NAMED_FILES ? `${keys.join(', ')}.` : `${keys.slice(0, MAX_NAMED_FILES).join(', ')} …`;

const findToolProblems = ({ media }: Pick<Deps, 'media'>): string[] =>
  media.streams === null ? media.warnings.slice(0, 1) : [];
