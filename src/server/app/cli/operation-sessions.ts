import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { createLogger, openFetcher } from '#server/app/compose.ts';
import { systemClock } from '#server/platform/core/clock.ts';
import { type Config, readConfig } from '#server/platform/core/settings/config.ts';
import { openDataDirectories } from '#server/platform/core/settings/data-directories.ts';
import { readInstallationSecret } from '#server/platform/core/settings/installation-secret.ts';
import { createSecrets, type Secrets } from '#server/platform/core/secrets.ts';
import { createFolder } from '#server/platform/db/embedded/create-folder.ts';
import type { Db } from '#server/platform/db/db.ts';
import { lockFolder } from '#server/platform/db/embedded/lock-folder.ts';
import {
  type Database,
  openUnmigratedDatabase,
  openUnmigratedFolder,
  openUnmigratedPostgres,
} from '#server/platform/db/open-database.ts';
import { openJobQueue } from '#server/platform/jobs/job-queue.ts';
import { resolveMediaTools } from '#server/platform/media/media-tools.ts';
import { requestBackup, requestCheck } from '#server/operations/installation/admin-socket.ts';
import { saveBackup } from '#server/operations/installation/backup-file.ts';
import type { BackupManifest } from '#server/operations/installation/backup-manifest.ts';
import { checkInstallation } from '#server/operations/installation/check-installation.ts';
import { enqueueWaiting } from '#server/operations/installation/enqueue-waiting.ts';
import { moveToPostgres } from '#server/operations/installation/move-to-postgres.ts';
import { verifyBackup } from '#server/operations/installation/read-backup.ts';
import { restoreBackup, verifyHeads } from '#server/operations/installation/restore-backup.ts';
import { writeBackup } from '#server/operations/installation/write-backup.ts';
import { openStorage } from '#server/platform/storage/open-storage.ts';
import type { Storage } from '#server/platform/storage/storage.ts';

type Print = (text: string) => void;

interface CommandSession {
  config: Config;
  log: Logger;
}

async function openCommand(config = readConfig()): Promise<CommandSession> {
  const log = createLogger(config);
  await openDataDirectories(config, log);
  return { config, log };
}

const openMedia = async ({ config, log }: CommandSession): Promise<Storage> =>
  openStorage(config, await openFetcher(config), log);

/** Writes a backup: by the running service if it has the embedded database open, else by this process. */
export async function backUp(file: string, includesMedia: boolean, print: Print): Promise<void> {
  const session = await openCommand();
  const { config } = session;
  assertDatabaseExists(config);
  const write = async (out: Writable): Promise<void> => {
    if (config.databaseUrl === null && (await requestBackup(config.dataDir, includesMedia, out))) return;
    const database = await openUnmigratedDatabase(config, session.log);
    try {
      const deps = {
        db: database.db,
        storage: await openMedia(session),
        clock: systemClock,
        secrets: await readSecrets(config),
      };
      await writeBackup(deps, out, { includes_media: includesMedia, signal: new AbortController().signal });
    } finally {
      await database.close();
    }
  };
  for (const line of describeBackup(await saveBackup(file, write), file)) print(line);
}

function assertDatabaseExists({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl === null && !existsSync(join(dataDir, 'database')))
    throw new Error(`There is no database in ${dataDir}.`);
}

function describeBackup(manifest: BackupManifest, file: string): string[] {
  const { tables, media, encrypted_with_secret_key: encrypted } = manifest;
  const megabytes = (media.size_bytes / 1_000_000).toFixed(1);
  return [
    `${file} is written and verified: ${countRows(manifest)} rows of ${tables.length} tables.`,
    ...describeHeads(manifest),
    media.included
      ? `It contains ${media.count - media.damaged_count} of ${media.count} files of media (${megabytes} MB).`
      : `It lists ${media.count} files of media (${megabytes} MB): back up MEDIA_DIR or the bucket too, or use --media.`,
    ...(media.damaged_count > 0
      ? [`${media.damaged_count} files were missing or damaged before: ${media.damaged.slice(0, 3).join(', ')}`]
      : []),
    encrypted.length > 0
      ? `SECRET_KEY is not in it, and it encrypts ${encrypted.length} secrets: keep it apart.`
      : 'SECRET_KEY is not in it: keep it apart.',
  ];
}

const countRows = ({ tables }: Pick<BackupManifest, 'tables'>): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

const describeHeads = ({ organizations }: Pick<BackupManifest, 'organizations'>): string[] =>
  organizations.map(({ name, ledger_head: head }) =>
    head === null ? `Ledger of ${name}: no entries` : `Ledger of ${name}: head ${head.seq}:${head.hash}`,
  );

/** Restores a backup, verifies its ledgers, and says what the installation lacks. */
export async function restore(file: string, print: Print): Promise<void> {
  const session = await openCommand();
  const manifest = await verifyBackup(file);
  const storage = await openMedia(session);
  const fill = async (db: Db): Promise<string[]> => {
    await restoreBackup({ db, storage }, file, manifest);
    const problems = await verifyHeads(db, manifest.organizations);
    print(`${countRows(manifest)} rows are restored.`);
    if (problems.length === 0) for (const line of describeHeads(manifest)) print(`${line}, verified`);
    return [...problems, ...(await findKeyProblem(session, manifest)), ...(await findProblems(session, db, true))];
  };
  const { databaseUrl } = session.config;
  reportProblems(await (databaseUrl === null ? fillFolder(session, fill) : fillPostgres(session, databaseUrl, fill)));
}

/** Copies the embedded database to PostgreSQL and verifies the ledgers there. */
export async function moveDatabase(url: string | undefined, print: Print): Promise<void> {
  const { DATABASE_URL, ...env } = process.env;
  const targetUrl = url ?? DATABASE_URL;
  if (targetUrl === undefined || !/^postgres(ql)?:\/\//.test(targetUrl))
    throw new Error('Enter the URL of an empty PostgreSQL database: postgres://user@host/database.');
  const session = await openCommand(readConfig({ ...env, ROLE: 'all' }));
  assertDatabaseExists(session.config);
  const source = await openUnmigratedDatabase(session.config, session.log);
  try {
    const problems = await fillPostgres(session, targetUrl, async (db) => {
      const { row_count, organizations } = await moveToPostgres(source.db, db);
      const wrong = await verifyHeads(db, organizations);
      print(`${row_count} rows are copied. The embedded database is unchanged.`);
      if (wrong.length === 0) for (const line of describeHeads({ organizations })) print(`${line}, verified`);
      return wrong;
    });
    reportProblems(problems);
    print(
      session.config.secretKey === null
        ? `Set DATABASE_URL, and SECRET_KEY to the content of ${join(session.config.dataDir, 'secret.key')}; then start the service.`
        : 'Set DATABASE_URL and start the service.',
    );
  } finally {
    await source.close();
  }
}

/** Looks for what the installation lacks, by the running service if it has the embedded database open. */
export async function checkService(checksAllMedia: boolean, print: Print): Promise<void> {
  const session = await openCommand();
  assertDatabaseExists(session.config);
  const { config } = session;
  const answered = config.databaseUrl === null ? await requestCheck(config.dataDir, checksAllMedia) : null;
  if (answered) reportProblems(answered);
  else {
    const database = await openUnmigratedDatabase(config, session.log);
    try {
      reportProblems(await findProblems(session, database.db, checksAllMedia));
    } finally {
      await database.close();
    }
  }
  print('Nothing is missing.');
}

/** Returns null if no key is set and none was generated: commands create none. */
async function readSecrets({ secretKey, secretKeysOld, dataDir }: Config): Promise<Secrets | null> {
  const secret = secretKey ?? (await readInstallationSecret(dataDir));
  return secret === null ? null : createSecrets(secret, secretKeysOld);
}

async function findKeyProblem({ config }: CommandSession, manifest: BackupManifest): Promise<string[]> {
  const { secret_key_proof: proof, created_at } = manifest;
  const secrets = await readSecrets(config);
  if (proof === null || secrets?.verify('backup', created_at, proof)) return [];
  return [
    'SECRET_KEY is not the key of the backup: set that one (or put its secret.key into DATA_DIR). ' +
      'Without it links from before do not work.',
  ];
}

async function findProblems(session: CommandSession, db: Db, checksAllMedia: boolean): Promise<string[]> {
  const { config } = session;
  const [storage, media, secrets] = await Promise.all([
    openMedia(session),
    resolveMediaTools({ ffmpegPath: config.ffmpegPath ?? undefined, ffprobePath: config.ffprobePath ?? undefined }),
    readSecrets(config),
  ]);
  return checkInstallation({ config, db, storage, media, secrets }, { checksAllMedia });
}

/** @throws an error with a line for each problem */
function reportProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** Runs work with a new embedded database, which takes its place at the end. @returns what the work returns */
async function fillFolder({ config, log }: CommandSession, fill: (db: Db) => Promise<string[]>): Promise<string[]> {
  const { dataDir } = config;
  const lock = await lockFolder(dataDir);
  try {
    let problems: string[] = [];
    const open = (folder: string) => openUnmigratedFolder(folder, log);
    await createFolder(dataDir, open, async (database) => {
      problems = await fill(database.db);
      await enqueueJobs(database, log);
    });
    return problems;
  } finally {
    lock.release();
  }
}

async function fillPostgres(
  { log }: CommandSession,
  url: string,
  fill: (db: Db) => Promise<string[]>,
): Promise<string[]> {
  const database = await openUnmigratedPostgres(url, log);
  try {
    const problems = await fill(database.db);
    await enqueueJobs(database, log);
    return problems;
  } finally {
    await database.close();
  }
}

async function enqueueJobs({ db, queue: queue_database }: Database, log: Logger): Promise<void> {
  const queue = await openJobQueue(queue_database, { log, supervise: false });
  try {
    await enqueueWaiting(db, queue);
  } finally {
    await queue.stop(1_000);
  }
}
