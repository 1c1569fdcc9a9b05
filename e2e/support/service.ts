import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '#server/app/testing/free-port.ts';
import { unpackPreparedDatabase } from '#server/app/testing/prepared-database.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface Service {
  url: string;
  key: string;
  dataDir: string;
  /** What the process has written. */
  output(): string;
  /** Kills the process as a crash would; the data stay. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

async function waitUntilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The service ended at its start:\n${output()}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The service was not ready in time:\n${output()}`);
}

/**
 * Starts the real service as a process, on a folder of its own with a prepared database, because creating one takes
 * seconds.
 */
export async function startService(env: Record<string, string> = {}): Promise<Service> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'emulsion-'));
  await unpackPreparedDatabase(path.join(dataDir, 'database'));
  const port = Number(env['PORT'] ?? (await freePort()));
  const url = `http://localhost:${port}`;
  const chosen = `mgs_org_${randomBytes(32).toString('base64url')}`;
  let output = '';
  let child: ChildProcess;

  const start = async () => {
    child = spawn(process.execPath, ['src/server/app/main.mjs'], {
      cwd: root,
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        BOOTSTRAP_API_KEY: chosen,
        LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await waitUntilReady(url, child, () => output);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exited;
  };

  await start();
  return {
    url,
    key: chosen,
    dataDir,
    output: () => output,
    kill: () => end('SIGKILL'),
    restart: start,
    stop: async () => {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
