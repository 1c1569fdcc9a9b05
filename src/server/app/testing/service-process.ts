import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { freePort } from './free-port.ts';
import { unpackPreparedDatabase } from './prepared-database.ts';

const MAIN = join(import.meta.dirname, '../main.mjs');

/** The service as a separate process that tests can kill. Data and port survive. */
export interface ServiceProcess {
  dataDir: string;
  key: string;
  url(path: string): string;
  output(): string;
  /** undefined unless it is running */
  pid(): number | undefined;
  /** @param databaseUrl null: embedded */
  start(databaseUrl: string | null, env?: Readonly<Record<string, string>>): Promise<void>;
  /** @returns the exit code; null if it was killed or is not running */
  stop(signal: NodeJS.Signals): Promise<number | null>;
  /** @throws if the response is not a success */
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  send(path: string, body: unknown): Promise<{ status: number; retryAfter: string | null; body: unknown }>;
  remove(): Promise<void>;
}

export async function prepareServiceProcess(): Promise<ServiceProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'emulsion-process-'));
  const port = await freePort();
  const key = `mgs_org_${'k'.repeat(43)}`;
  const authorization = `Bearer ${key}`;
  let child: ChildProcess | undefined;
  let output = '';
  await unpackPreparedDatabase(join(dataDir, 'database'));
  const service: ServiceProcess = {
    dataDir,
    key,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    output: () => output,
    pid: () => (child && child.exitCode === null && child.signalCode === null ? child.pid : undefined),
    async start(databaseUrl, env = {}) {
      const own = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(port), BOOTSTRAP_API_KEY: key };
      const database = databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };
      const started = spawn(process.execPath, [MAIN], {
        env: { ...own, RATE_LIMIT_PER_MINUTE: '100000', LOG_LEVEL: 'error', ...database, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (text: Buffer) => (output += text.toString()));
      await waitFor('the service to be ready', () => isReady(service, started)).catch((cause: unknown) => {
        throw new Error(`The service did not start:\n${output}`, { cause });
      });
    },
    async stop(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return null;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
    get: (path) => readJson(fetch(service.url(path), { headers: { authorization } })),
    post(path, body) {
      const json = { 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = { authorization, ...(body === undefined ? {} : json) };
      return readJson(fetch(service.url(path), { method: 'POST', headers, ...sent }));
    },
    async send(path, body) {
      const headers = { authorization, 'content-type': 'application/json' };
      const response = await fetch(service.url(path), { method: 'POST', headers, body: JSON.stringify(body) });
      const { status } = response;
      return { status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
    },
    async remove() {
      await service.stop('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return service;
}

async function readJson<T>(request: Promise<Response>): Promise<T> {
  const response = await request;
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function isReady(service: ServiceProcess, { exitCode }: ChildProcess): Promise<boolean> {
  if (exitCode !== null) throw new Error(`It ended with ${exitCode}.`);
  return fetch(service.url('/readyz')).then(
    ({ ok }) => ok,
    () => false,
  );
}
