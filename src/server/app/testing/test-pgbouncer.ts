import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { runProcess } from '#server/platform/media/run-process.ts';
import { freePort } from './free-port.ts';

export interface TestPgbouncer {
  /** The URL of a database through the pooler. @param direct its own URL */
  url(direct: string): string;
  stop(): Promise<void>;
}

/** Root can't run it. Debian installs it outside of the usual PATH. */
const USER = 'postgres';
const PROGRAM = '/usr/sbin/pgbouncer';

/** Starts PgBouncer in front of a server; null if it is not installed. It ends with this process. */
export async function startPgbouncer(
  serverUrl: string,
  poolMode: 'transaction' | 'session' | 'statement' = 'transaction',
): Promise<TestPgbouncer | null> {
  const asUser = process.getuid?.() === 0 ? [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'] : [];
  const prefix = ['setpriv', '--pdeathsig', 'INT', ...asUser, '--', PROGRAM];
  const version = await runProcess([...prefix, '--version']).catch(() => null);
  if (version?.exitCode !== 0) return null;
  for (;;) {
    const pooler = await startOnPort(prefix, serverUrl, poolMode, await freePort());
    if (pooler) return pooler;
  }
}

/** Starts it on a port; null if it ends at once, because another process has taken the port. */
async function startOnPort(
  prefix: readonly string[],
  serverUrl: string,
  poolMode: string,
  port: number,
): Promise<TestPgbouncer | null> {
  const folder = await mkdtemp(join(tmpdir(), 'emulsion-pgbouncer-'));
  await chmod(folder, 0o777);
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${new URL(serverUrl).port} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'auth_type = any',
    `pool_mode = ${poolMode}`,
    'default_pool_size = 6',
    'max_client_conn = 200',
    'unix_socket_dir =',
  ];
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, settings.join('\n'), { mode: 0o644 });
  const stopping = new AbortController();
  const ending = { isOver: false };
  const ended = runProcess([...prefix, file], { signal: stopping.signal })
    .catch(() => undefined)
    .finally(() => {
      ending.isOver = true;
    });
  const url = (direct: string): string => {
    const pooled = new URL(direct);
    pooled.port = String(port);
    return pooled.href;
  };
  await waitFor('PgBouncer', async () => ending.isOver || accepts(url(serverUrl)));
  if (ending.isOver) {
    await rm(folder, { recursive: true, force: true });
    return null;
  }
  return {
    url,
    async stop() {
      stopping.abort();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
