import { afterAll, beforeAll, expect, it } from 'vitest';
import { useCliFixture } from '#server/app/testing/cli-fixture.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { providerCommands } from './provider-commands.ts';
import { runCliProcess } from '#server/app/testing/run-cli-process.ts';

const KEY = 'sk-test-0123456789abcdef';
const NEW_KEY = 'sk-test-9876543210fedcba';
const MODELS = ['--models', 'image.create:imgmodel-a-2=local-painter,image.edit:imgmodel-b-2-lite=local-painter'];

const cli = useCliFixture({ ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' });
const run = (...args: readonly string[]): Promise<string[]> => cli.run(providerCommands, args);
const runWithInput = (input: string, ...args: readonly string[]) => cli.run(providerCommands, args, { input });

let upstream: FakeUpstreamServer;
let renewed: FakeUpstreamServer;
beforeAll(async () => {
  upstream = await startFakeUpstream(KEY, createFakeOpenAiHandler);
  renewed = await startFakeUpstream(NEW_KEY, createFakeOpenAiHandler);
});
afterAll(async () => {
  await upstream.close();
  await renewed.close();
});

it('connects, lists, tests, pauses, rotates and disconnects a provider', async () => {
  const connect = ['providers', 'connect', 'openai-compatible', '--address', upstream.base_url, ...MODELS];
  const env = { ...cli.env(), LOG_LEVEL: 'debug' };
  const rejected = await runCliProcess(env, connect, 'sk-wrong-key-0123\n');
  expect([rejected.code, rejected.stdout]).toEqual([1, '']);
  expect(rejected.stderr.trimEnd().split('\n').at(-1)).toMatch(
    /This key is not valid\. OpenAI-compatible server responded: Incorrect API key/,
  );
  expect(await run('list')).toEqual([]);

  const connected = await runCliProcess(env, [...connect, '--markup', '20'], `${KEY}\n`);
  const [id = ''] = /^prv_\w{26}/.exec(connected.stdout) ?? [];
  const line = `${id}  OpenAI-compatible server  active  key …cdef  2 models, 0 running`;
  expect(connected).toMatchObject({ code: 0, stdout: `${line}\n` });
  for (const { stdout, stderr } of [rejected, connected]) expect(stdout + stderr).not.toContain(KEY);
  expect(await run('list')).toEqual([line]);
  expect(await run('test', id)).toEqual(['The server responded. Models: local-painter.']);

  expect(await run('pause', id)).toEqual([expect.stringContaining('  paused  ')]);
  expect(await run('resume', id)).toEqual([line]);
  expect(await run('prefer', id)).toEqual([line]);
  await expect(runWithInput(`${NEW_KEY}\n`, 'rotate', id)).rejects.toThrow('This key is not valid.');
  expect(await run('disconnect', id)).toEqual([`${id} is disconnected.`]);
  expect(await run('list')).toEqual([]);
  await expect(run('test', id)).rejects.toThrow(/not found\.$/);
});

it('reads a key from an environment variable and replaces it', async () => {
  const connect = ['connect', 'openai-compatible', '--key-env', 'PAINTER_KEY', ...MODELS];
  await expect(run(...connect, '--address', renewed.base_url)).rejects.toThrow(/^PAINTER_KEY is not set\.$/);
  const env = { PAINTER_KEY: NEW_KEY };
  const [line = ''] = await cli.run(providerCommands, [...connect, '--address', renewed.base_url], { env });
  expect(line).toContain('key …dcba');
  const [id = ''] = line.split(' ');
  expect(await runWithInput(NEW_KEY, 'rotate', id)).toEqual([expect.stringContaining('active  key …dcba')]);
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

it('rejects an invalid address with a sentence', async () => {
  await expect(
    runWithInput(`${KEY}\n`, 'connect', 'openai-compatible', '--address', 'ftp://a', ...MODELS),
  ).rejects.toThrow('address: Enter an address such as https://api.example.com/v1.');
});
