import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import allocatorSettings from '#server/platform/core/allocator-settings.json' with { type: 'json' };
import { VERSION } from '#server/platform/core/version.ts';
import { openPglite } from '#server/platform/db/open-database.ts';
import { freePort } from './testing/free-port.ts';
import { unpackPreparedDatabase } from './testing/prepared-database.ts';

const MAIN = join(import.meta.dirname, 'main.mjs');
const CLI = join(import.meta.dirname, 'cli/cli.mjs');

// Each test starts several processes.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface Started {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  exitCode: Promise<number | null>;
}

const children: ChildProcess[] = [];

function start(script: string, args: readonly string[], env: Record<string, string>): Started {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exitCode = once(child, 'close').then(() => child.exitCode);
  children.push(child);
  return { child, stdout: () => stdout, stderr: () => stderr, exitCode };
}

let folder: string;
let port: number;
let url: string;
let env: Record<string, string>;
let key: string;
let cliToken: string;
let running: Started;

async function startService(more: Record<string, string> = {}): Promise<Started> {
  const started = start(MAIN, [], { ...env, ...more });
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (started.child.exitCode !== null) throw new Error(started.stderr());
    await sleep(50);
  }
  return started;
}
async function post<T>(path: string, body: unknown, bearer?: string): Promise<T> {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}
const exchange = async (token: string) => (await post<{ secret: string }>('/v1/sign-in', { token })).secret;
const createKey = async (bearer: string) =>
  (await post<{ key: string }>('/v1/api-keys', { name: 'Program', kind: 'organization' }, bearer)).key;
const me = (bearer: string) => fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${bearer}` } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-run-'));
  port = await freePort();
  url = `http://localhost:${port}`;
  env = { DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'info', FFMPEG_PATH: '/nowhere' };
  running = await startService({ METRICS_TOKN: 'x' });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await running.exitCode;
  await rm(folder, { recursive: true, force: true });
});

describe('the first start', () => {
  it('prints a sign-in link with a token that works once, and neither a key nor a log', async () => {
    const links = [...running.stdout().matchAll(/\S+\/sign-in#token=(mgs_lnk_[\w-]{43})/g)];
    expect(links).toHaveLength(1);
    expect(running.stdout()).toContain(`Emulsion ${VERSION} is ready at ${url}`);
    expect(running.stdout()).not.toMatch(/\{|mgs_org_/);
    const session = await exchange(links[0]?.[1] ?? '');
    expect(await (await me(session)).json()).toMatchObject({
      person: { name: 'Administrator', role: 'administrator' },
    });
    await expect(exchange(links[0]?.[1] ?? '')).rejects.toThrow('401');
    key = await createKey(session);
    expect((await me(key)).status).toBe(200);
  });
});

it('starts without ffmpeg and logs what is disabled and what to install', () => {
  expect(running.stderr()).toMatch(
    /FFMPEG_PATH does not name a working ffmpeg\. Video and audio are disabled: install ffmpeg 5 or newer/,
  );
});

it('logs that a mistyped variable has no effect', () => {
  expect(running.stderr()).toContain(
    'METRICS_TOKN is no setting of Emulsion and has no effect: is METRICS_TOKEN meant?',
  );
});

describe('while it runs', () => {
  it.runIf(process.platform === 'linux')('has the allocator settings from the start of its process', async () => {
    const variables = (await readFile(`/proc/${running.child.pid}/environ`, 'utf8')).split('\0');
    for (const [name, value] of Object.entries(allocatorSettings)) expect(variables).toContain(`${name}=${value}`);
  });

  it('shows its version in the health check, the log and the CLI', async () => {
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION });
    expect(running.stderr()).toContain(`"version":"${VERSION}","role":"all","msg":"started"`);
    const shell = start(CLI, ['--version'], env);
    expect([await shell.exitCode, shell.stdout()]).toEqual([0, `${VERSION}\n`]);
  });

  it('keeps keys and the signatures of links out of its log', async () => {
    await fetch(`${url}/media/ast_01m7y6v0gyeg6ksk7hyezzk3qs?expires=1&sig=verysecret`);
    await me('mgs_org_verysecret');
    await expect.poll(() => running.stderr()).toContain('"path":"/v1/me","status":401');
    expect(running.stderr()).toContain('"path":"/media/ast_01m7y6v0gyeg6ksk7hyezzk3qs","status":404');
    expect(running.stderr()).not.toMatch(/verysecret/);
    expect(running.stderr()).not.toContain(key);
  });

  it('rejects a second process and the CLI on its folder with a message', async () => {
    const second = start(MAIN, [], { ...env, PORT: String(await freePort()) });
    const shells = [['funds'], ['migrate', '--plan']].map((args) => start(CLI, args, env));
    for (const { exitCode } of [second, ...shells]) expect(await exitCode).toBe(1);
    for (const { stderr, stdout } of [second, ...shells]) {
      expect(stderr()).toMatch(/^Another Emulsion process uses the data folder .*\. Stop it first\.\n$/);
      expect(stdout()).toBe('');
    }
  });
});

describe('a failed start', () => {
  beforeAll(() => unpackPreparedDatabase(join(folder, 'other', 'database')));

  it('prints only which variable is invalid', async () => {
    const started = start(MAIN, [], { ...env, MAX_JSON_BYTES: 'many' });
    expect(await started.exitCode).toBe(1);
    expect([started.stderr(), started.stdout()]).toEqual([
      'MAX_JSON_BYTES must be a whole number from 1 to 1073741824.\n',
      '',
    ]);
  });

  it('prints that the database does not respond', async () => {
    const wrong = { DATABASE_URL: 'postgres://127.0.0.1:1/none', PORT: '0', DATA_DIR: join(folder, 'other') };
    const started = start(MAIN, [], { ...env, ...wrong });
    expect([await started.exitCode, started.stderr()]).toEqual([1, 'The database at DATABASE_URL does not respond.\n']);
  });

  it('prints that a newer version upgraded the database', async () => {
    const { db, close } = await openPglite({ folder: join(folder, 'other', 'database') }, pino({ level: 'silent' }));
    const newer = Date.now() + 10_000_000_000;
    await db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', ${newer})`);
    await close();
    const other = { ...env, PORT: '0', DATA_DIR: join(folder, 'other') };
    const shell = start(CLI, ['migrate', '--plan'], other);
    await shell.exitCode;
    const started = start(MAIN, [], other);
    expect([await shell.exitCode, await started.exitCode]).toEqual([1, 1]);
    for (const { stderr } of [shell, started])
      expect(stderr()).toMatch(
        /^The database was upgraded by a newer version of Emulsion: install that version, or restore a backup\.\n$/m,
      );
  });

  it('prints one sentence that names the variable, whatever step fails', async () => {
    await writeFile(join(folder, 'file'), '');
    const sentences: [Record<string, string>, RegExp][] = [
      [{}, /^PORT \d+ is in use by another process\.\n$/],
      [{ METRICS_PORT: String(port), PORT: '0' }, /^METRICS_PORT \d+ is in use by another process\.\n$/],
      [{ HOST: 'nosuchhost.invalid' }, /^HOST nosuchhost\.invalid .* name an address of this machine\.\n$/],
      [{ HOST: '203.0.113.7' }, /^HOST 203\.0\.113\.7 is no address of this machine\.\n$/],
      [{ PORT: '0', DATA_DIR: join(folder, 'file') }, /^DATA_DIR \/.*\/file is a file: name a folder\.\n$/],
      [{ PORT: '0', DATA_DIR: '/proc/emulsion' }, /^DATA_DIR \/proc\/emulsion can’t be created there\.\n$/],
      [{ PORT: '0', DATABASE_URL: 'postgres://nosuchhost.invalid/x' }, /^The .* DATABASE_URL .*\.\n$/],
    ];
    for (const [wrong, sentence] of sentences) {
      const started = start(MAIN, [], { ...env, DATA_DIR: join(folder, 'other'), ...wrong });
      expect(await started.exitCode).toBe(1);
      expect([started.stderr(), started.stdout()]).toEqual([expect.stringMatching(sentence), '']);
    }
  });
});

it('migrates a database from the shell', async () => {
  const fresh = { ...env, DATA_DIR: join(folder, 'fresh') };
  await mkdir(join(folder, 'fresh', 'database'), { recursive: true });
  const migrated = start(CLI, ['migrate'], fresh);
  expect(await migrated.exitCode).toBe(0);
  expect(migrated.stdout()).toMatch(/^1 migration is pending:\n0000_baseline: creates table api_keys, /);
  expect(migrated.stdout()).toMatch(/\nThe database is up to date\.\n$/);
});

describe('SIGTERM', () => {
  it('completes open requests, accepts no others, and exits within 15 s', async () => {
    const headers = { 'content-type': 'application/json', expect: '100-continue' };
    const outgoing = request(`${url}/v1/estimate`, { method: 'POST', headers });
    const answer = once(outgoing, 'response');
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.write('{"task":"social.search",');
    const fromMs = Date.now();
    running.child.kill('SIGTERM');
    await expect.poll(() => fetch(`${url}/healthz`).catch(() => 'refused')).toBe('refused');
    outgoing.end('"input":{}}');
    const [incoming] = (await answer) as [{ statusCode: number; resume(): void }];
    incoming.resume();
    expect(incoming.statusCode).toBe(422);
    expect(await running.exitCode).toBe(0);
    expect(Date.now() - fromMs).toBeLessThan(15_000);
  });

  it('releases the folder for the CLI', async () => {
    const empty = start(CLI, ['migrate', '--plan'], { ...env, DATA_DIR: join(folder, 'none') });
    expect(await empty.exitCode).toBe(0);
    expect(empty.stdout()).toMatch(/^There is no database in .*none yet\./);
    expect(existsSync(join(folder, 'none'))).toBe(false);
    const created = start(CLI, ['keys', 'create', '--name', 'Anna', '--kind', 'member'], env);
    expect(await created.exitCode).toBe(0);
    expect(created.stdout()).toMatch(/^key_\w{26}\nmgs_usr_[\w-]{43}\n$/);
    const link = start(CLI, ['sign-in', '--name', 'Anna'], env);
    expect(await link.exitCode).toBe(0);
    cliToken = new RegExp(`^${url}/sign-in#token=(\\S+)\n$`).exec(link.stdout())?.[1] ?? '';
    const unknown = start(CLI, ['sign-in', '--key', 'key_unknown'], env);
    expect([await unknown.exitCode, unknown.stderr()]).toEqual([1, 'There is no key key_unknown.\n']);
    const credit = start(CLI, ['credit', '-3.50', '--why', 'a correction'], env);
    expect([await credit.exitCode, credit.stdout()]).toEqual([0, 'ADJUSTMENT −$3.50. Available: $96.50\n']);
    const refused = start(CLI, ['credit', 'lots', '--why', 'x'], env);
    expect(await refused.exitCode).toBe(1);
  });

  it('restarts with all data, closes hanging requests, and prints no second link', async () => {
    running = await startService();
    expect(running.stdout()).not.toContain('sign-in');
    expect((await me(key)).status).toBe(200);
    expect(await (await me(await exchange(cliToken))).json()).toMatchObject({ key: { name: 'Anna' } });
    const hanging = request(`${url}/v1/uploads`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'multipart/form-data; boundary=x',
        expect: '100-continue',
      },
    });
    const broken = once(hanging, 'error');
    hanging.flushHeaders();
    await once(hanging, 'continue');
    hanging.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc');
    const fromMs = Date.now();
    running.child.kill('SIGTERM');
    expect(await running.exitCode).toBe(0);
    expect(Date.now() - fromMs).toBeLessThan(15_000);
    await broken;
  });
});
