import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFakeOpenAiHandler } from '#server/engines/testing/fake-openai-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/engines/testing/fake-upstream-server.ts';
import { unpackPreparedDatabase } from '#server/testing/prepared-database.ts';

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

/** Runs `admin providers …` as an operator does, with `input` on its standard input. */
async function runProviders(args: readonly string[], { input = '', env = {} }: { input?: string; env?: object } = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const settings = { DATA_DIR: folder, LOG_LEVEL: 'debug', ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cli.ts'), 'providers', ...args], {
    env: { PATH, HOME, ...settings, ...env },
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
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

it('connects, lists, tests, pauses, rotates and disconnects a provider', { timeout: 240_000 }, async () => {
  const connect = ['connect', 'openai-compatible', '--address', upstream.base_url, ...MODELS];
  const rejected = await runProviders(connect, { input: 'sk-wrong-key-0123\n' });
  expect([rejected.code, rejected.stdout]).toEqual([1, '']);
  expect(lastLine(rejected.stderr)).toMatch(/OpenAI-compatible server responded: Incorrect API key/);
  expect((await runProviders(['list'])).stdout).toBe('');

  const connected = await runProviders([...connect, '--markup', '20'], { input: `${KEY}\n` });
  const [id = ''] = /^prv_\w{26}/.exec(connected.stdout) ?? [];
  const line = `${id}  OpenAI-compatible server  active  key …cdef  2 models, 0 running\n`;
  expect(connected).toMatchObject({ code: 0, stdout: line });
  expect((await runProviders(['list'])).stdout).toBe(line);
  expect((await runProviders(['test', id])).stdout).toBe('The server responded. Models: local-painter.\n');

  expect((await runProviders(['pause', id])).stdout).toContain('  paused  ');
  expect((await runProviders(['resume', id])).stdout).toBe(line);
  const refused = await runProviders(['rotate', id], { input: `${NEW_KEY}\n` });
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect((await runProviders(['disconnect', id])).stdout).toBe(`${id} is disconnected.\n`);
  expect((await runProviders(['list'])).stdout).toBe('');
  expect(await runProviders(['test', id])).toMatchObject({ code: 1, stderr: expect.stringMatching(/not found\.\n$/) });
});

it('reads a key from an environment variable and replaces it', { timeout: 120_000 }, async () => {
  const connect = ['connect', 'openai-compatible', '--key-env', 'PAINTER_KEY', ...MODELS];
  const unset = await runProviders([...connect, '--address', renewed.base_url]);
  expect([unset.code, lastLine(unset.stderr)]).toEqual([1, 'PAINTER_KEY is not set.']);
  const env = { PAINTER_KEY: NEW_KEY };
  const { stdout } = await runProviders([...connect, '--address', renewed.base_url], { env });
  expect(stdout).toContain('key …dcba');
  const [id = ''] = stdout.split(' ');
  const rotated = await runProviders(['rotate', id], { input: NEW_KEY });
  expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('active  key …dcba') });
});

it('rejects wrong arguments with a sentence', { timeout: 120_000 }, async () => {
  const problems = await Promise.all(
    [
      ['connect', 'unknown'],
      ['connect', 'openai-compatible', '--models', 'video.create:omni-video'],
      ['connect', 'openai-compatible', '--markup', 'much'],
      ['connect', 'openai-compatible', '--address', 'ftp://a', ...MODELS],
    ].map(async (args) => {
      const { code, stdout, stderr } = await runProviders(args);
      return [code, stdout, stderr];
    }),
  );
  expect(problems).toEqual([
    [1, '', expect.stringContaining('There is no provider “unknown”. Choose fal,')],
    [1, '', expect.stringContaining('does not run “video.create:omni-video”. Choose all, or some of image.create')],
    [1, '', expect.stringContaining('Enter a whole percentage from 0 to 1000.')],
    [1, '', expect.stringContaining('address: Enter an address such as https://api.example.com/v1.')],
  ]);
});
