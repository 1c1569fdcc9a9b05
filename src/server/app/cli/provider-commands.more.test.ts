import { afterAll, beforeAll, expect, it } from 'vitest';
import { useCliFixture } from '#server/app/testing/cli-fixture.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { runCliProcess } from '#server/app/testing/run-cli-process.ts';

const KEY = 'sk-test-9876543210fedcba';
const OTHER_KEY = 'sk-test-0123456789abcdef';
const CONNECT = ['providers', 'connect', 'openai-compatible', '--models', 'image.create:imgmodel-a-2=local-painter'];

const cli = useCliFixture({ ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'debug' });
let upstream: FakeUpstreamServer;
beforeAll(async () => {
  upstream = await startFakeUpstream(KEY, createFakeOpenAiHandler);
});
afterAll(() => upstream.close());

/** Runs it as an operator does. */
async function run(args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}) {
  const ended = await runCliProcess({ ...cli.env(), ...env }, args, input);
  for (const key of [KEY, OTHER_KEY]) expect(ended.stdout + ended.stderr).not.toContain(key);
  return ended;
}

it('shows no key, however it is read and whatever fails', async () => {
  const connect = [...CONNECT, '--key-env', 'PAINTER_KEY', '--address', upstream.base_url];
  const { stdout } = await run(connect, '', { PAINTER_KEY: KEY });
  expect(stdout).toContain('key …dcba');
  const [id = ''] = stdout.split(' ');
  const refused = await run(['providers', 'rotate', id], `${OTHER_KEY}\n`);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  const rotated = await run(['providers', 'rotate', id], KEY);
  expect(rotated).toMatchObject({ code: 0, stdout: expect.stringContaining('active  key …dcba') });
  expect(await run([...CONNECT, '--address', 'ftp://a'])).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('address: Enter an address such as https://api.example.com/v1.'),
  });
});
