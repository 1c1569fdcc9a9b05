import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { unpackPreparedDatabase } from '#server/app/testing/prepared-database.ts';
import { providerCommands } from './provider-commands.ts';

const KEY = 'sk-test-0123456789abcdef';
const NEW_KEY = 'sk-test-9876543210fedcba';
const MODELS = ['--models', 'image.create:imgmodel-a-2=local-painter,image.edit:imgmodel-b-2-lite=local-painter'];

let folder: string;
let upstream: FakeUpstreamServer;
let renewed: FakeUpstreamServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-cli-providers-'));
  await unpackPreparedDatabase(join(folder, 'database'));
  upstream = await startFakeUpstream(KEY, createFakeOpenAiHandler);
  renewed = await startFakeUpstream(NEW_KEY, createFakeOpenAiHandler);
}, 60_000);
afterAll(async () => {
  await upstream.close();
  await renewed.close();
  await rm(folder, { recursive: true, force: true });
});

const SETTINGS = { LOG_LEVEL: 'debug', ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' };

/** Runs `admin providers …` as an operator does, with `input` on its standard input. */
async function runProcess(args: readonly string[], { input = '', env = {} }: { input?: string; env?: object } = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cli.mjs'), 'providers', ...args], {
    env: { PATH, HOME, DATA_DIR: folder, ...SETTINGS, ...env },
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  const output = text.stdout + text.stderr;
  for (const key of [KEY, NEW_KEY]) expect(output).not.toContain(key);
  return { code: code as number, ...text };
}

/** Runs the same command in this process, which is much faster. @returns what it printed @throws what the CLI reports */
async function run(...args: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, value] of Object.entries({ ...SETTINGS, LOG_LEVEL: 'silent', DATA_DIR: folder }))
    vi.stubEnv(name, value);
  try {
    const providers = providerCommands((line) => lines.push(line));
    for (const command of providers.commands) command.exitOverride().configureOutput({ writeErr: () => undefined });
    await providers.parseAsync(args, { from: 'user' });
    return lines;
  } finally {
    vi.unstubAllEnvs();
  }
}
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

it('connects, lists, tests, pauses, rotates and disconnects a provider', { timeout: 240_000 }, async () => {
  const connect = ['connect', 'openai-compatible', '--address', upstream.base_url, ...MODELS];
  const rejected = await runProcess(connect, { input: 'sk-wrong-key-0123\n' });
  expect([rejected.code, rejected.stdout]).toEqual([1, '']);
  expect(lastLine(rejected.stderr)).toMatch(
    /This key is not valid\. OpenAI-compatible server responded: Incorrect API key/,
  );
  expect(await run('list')).toEqual([]);

  const connected = await runProcess([...connect, '--markup', '20'], { input: `${KEY}\n` });
  const [id = ''] = /^prv_\w{26}/.exec(connected.stdout) ?? [];
  const line = `${id}  OpenAI-compatible server  active  key …cdef  2 models, 0 running`;
  expect(connected).toMatchObject({ code: 0, stdout: `${line}\n` });
  expect(await run('list')).toEqual([line]);
  expect(await run('test', id)).toEqual(['The server responded. Models: local-painter.']);

  expect(await run('pause', id)).toEqual([expect.stringContaining('  paused  ')]);
  expect(await run('resume', id)).toEqual([line]);
  expect(await run('prefer', id)).toEqual([line]);
  const refused = await runProcess(['rotate', id], { input: `${NEW_KEY}\n` });
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(await run('disconnect', id)).toEqual([`${id} is disconnected.`]);
  expect(await run('list')).toEqual([]);
  await expect(run('test', id)).rejects.toThrow(/not found\.$/);
});

it('reads a key from an environment variable and replaces it', { timeout: 120_000 }, async () => {
  const connect = ['connect', 'openai-compatible', '--key-env', 'PAINTER_KEY', ...MODELS];
  await expect(run(...connect, '--address', renewed.base_url)).rejects.toThrow(/^PAINTER_KEY is not set\.$/);
  const env = { PAINTER_KEY: NEW_KEY };
  const { stdout } = await runProcess([...connect, '--address', renewed.base_url], { env });
  expect(stdout).toContain('key …dcba');
  const [id = ''] = stdout.split(' ');
  const rotated = await runProcess(['rotate', id], { input: NEW_KEY });
  expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('active  key …dcba') });
});

it.each([
  [['connect', 'unknown'], 'There is no provider “unknown”. Choose fal,'],
  [
    ['connect', 'openai-compatible', '--models', 'video.create:omni-video'],
    'does not run “video.create:omni-video”. Choose all, or some of image.create',
  ],
  [['connect', 'openai-compatible', '--markup', 'much'], 'Enter a whole percentage from 0 to 1000.'],
])('rejects %j with a sentence', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});

it('rejects an invalid address with a sentence', { timeout: 120_000 }, async () => {
  expect(await runProcess(['connect', 'openai-compatible', '--address', 'ftp://a', ...MODELS])).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('address: Enter an address such as https://api.example.com/v1.'),
  });
});
