import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { runProcess } from '#server/platform/media/run-process.ts';
import type { TestCertificate } from '#server/platform/net/testing/tls-fixture.ts';
import { freePort } from './free-port.ts';
import { postgresProgram } from './postgres-program.ts';

export interface TestPostgres {
  /** Creates a database, empty or as a copy of one without connections. @returns its URL */
  createDatabase(like?: string): Promise<string>;
  /** Stops the server like `pg_ctl stop`; its data stay. */
  shutDown(mode: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again after `shutDown`. */
  restart(): Promise<void>;
  /** Stops or continues all processes of the server, which keeps its connections open. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

const SHUTDOWN_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** What databases of other programs have, so that every test shows that the service sets up its own sessions. */
const UNUSUAL_DEFAULTS = [
  'datestyle=German, DMY',
  'intervalstyle=sql_standard',
  'timezone=Asia/Kolkata',
  'bytea_output=escape',
  'extra_float_digits=-6',
  'standard_conforming_strings=off',
  'transform_null_equals=on',
  'default_transaction_isolation=repeatable read',
  'search_path=elsewhere',
  'statement_timeout=100000',
  'jit=on',
];

/** PostgreSQL refuses to run as root. */
const POSTGRES_USER = 'postgres';

/**
 * Starts a PostgreSQL server in a temp directory on a free port; null if it is not installed. It ends with this
 * process, even if that is killed.
 * @param tls the server accepts only connections with TLS then, and has this certificate
 */
export async function startPostgres(tls: TestCertificate | null = null): Promise<TestPostgres | null> {
  const asUser =
    process.getuid?.() === 0 ? [`--reuid=${POSTGRES_USER}`, `--regid=${POSTGRES_USER}`, '--clear-groups'] : [];
  const commandPrefix = ['setpriv', '--pdeathsig', 'INT', ...asUser, '--'];
  for (const program of ['initdb', 'postgres'] as const)
    if (!(await succeeds([...commandPrefix, postgresProgram(program), '--version']))) return null;
  const folder = await mkdtemp(join(tmpdir(), `emulsion-postgres-${process.pid}-`));
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  const initialize = [
    postgresProgram('initdb'),
    '--no-sync',
    '--auth=trust',
    '--username=postgres',
    '--encoding=UTF8',
    '-D',
    data,
  ];
  const { exitCode, stderr } = await runProcess([...commandPrefix, ...initialize]);
  if (exitCode !== 0) throw new Error(`initdb: ${stderr}`);
  const port = await freePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'fsync=off',
    `unix_socket_directories=${folder}`,
    ...UNUSUAL_DEFAULTS,
  ];
  if (tls) settings.push(...(await requireTls(data, tls)));
  const stop = new AbortController();
  const command = [...commandPrefix, postgresProgram('postgres'), '-D', data, '-p', String(port)];
  const run = () =>
    runProcess([...command, ...settings.flatMap((set) => ['-c', set])], { signal: stop.signal }).catch(() => undefined);
  let ended = run();
  const url = (database: string) =>
    `postgres://postgres@127.0.0.1:${port}/${database}${tls ? '?sslmode=no-verify' : ''}`;
  await waitUntilReady(url('postgres'));
  let databaseCount = 0;
  return {
    async createDatabase(like) {
      const name = `test_${(databaseCount += 1)}`;
      const template = like === undefined ? '' : ` template ${new URL(like).pathname.slice(1)}`;
      await query(url('postgres'), `create database ${name}${template}`);
      return url(name);
    },
    async shutDown(mode) {
      process.kill(await readServerPid(data), SHUTDOWN_SIGNALS[mode]);
      await ended;
    },
    async restart() {
      ended = run();
      await waitUntilReady(url('postgres'));
    },
    pause: () => signalAll(data, 'SIGSTOP'),
    resume: () => signalAll(data, 'SIGCONT'),
    async stop() {
      await signalAll(data, 'SIGCONT').catch(() => undefined);
      stop.abort();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @returns settings of the server */
async function requireTls(data: string, { cert, key }: TestCertificate): Promise<string[]> {
  const { uid, gid } = await stat(data);
  for (const [name, text] of [
    ['server.crt', cert],
    ['server.key', key],
    ['pg_hba.conf', 'hostssl all with_password all scram-sha-256\nhostssl all all all trust\n'],
  ] as const) {
    await writeFile(join(data, name), text, { mode: 0o600 });
    await chown(join(data, name), uid, gid);
  }
  return ['ssl=on'];
}

async function readServerPid(data: string): Promise<number> {
  const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

/** The server itself first: once it is stopped, it starts no further processes. */
async function signalAll(data: string, signal: NodeJS.Signals): Promise<void> {
  const pid = await readServerPid(data);
  process.kill(pid, signal);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.match(/\d+/g) ?? []) killUnlessEnded(Number(child), signal);
}

function killUnlessEnded(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const START_TIMEOUT_MS = 120_000;

async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (
      await query(url, 'select 1').then(
        () => true,
        () => false,
      )
    )
      return;
    await sleep(50);
  }
  throw new Error('PostgreSQL did not start in time.');
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

const succeeds = async (command: string[]): Promise<boolean> =>
  (await runProcess(command).catch(() => undefined))?.exitCode === 0;
