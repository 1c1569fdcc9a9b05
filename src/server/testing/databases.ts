import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '../media/run-process.ts';

export interface TestPostgres {
  /** Makes an empty database. @returns its URL */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 'postgres';

/** Starts a PostgreSQL of the machine on a folder and port of its own; null where there is none. */
export async function startPostgres(): Promise<TestPostgres | null> {
  if (!(await succeeds(['initdb', '--version'])) || !(await succeeds(['pg_ctl', '--version']))) return null;
  const as_user =
    process.getuid?.() === 0 ? ['setpriv', `--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups'] : [];
  if (as_user.length > 0 && !(await succeeds([...as_user, 'true']))) return null;
  const folder = await mkdtemp(join(tmpdir(), 'emulsion-postgres-'));
  await chmod(folder, 0o777);
  const data = join(folder, 'data');
  const port = await freePort();
  const run = async (...command: string[]) => {
    const { exit_code, stderr } = await runProcess([...as_user, ...command]);
    if (exit_code !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
  };
  await run('initdb', '--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8', '-D', data);
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c fsync=off -c unix_socket_directories=${folder}`;
  await run('pg_ctl', 'start', '-w', '-D', data, '-l', join(folder, 'log'), '-o', settings);
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  let made = 0;
  return {
    async createDatabase() {
      const name = `test_${(made += 1)}`;
      const { Client } = await import('pg');
      const client = new Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return url(name);
    },
    async stop() {
      await run('pg_ctl', 'stop', '-m', 'immediate', '-D', data);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const succeeds = async (command: string[]): Promise<boolean> =>
  (await runProcess(command).catch(() => undefined))?.exit_code === 0;

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
