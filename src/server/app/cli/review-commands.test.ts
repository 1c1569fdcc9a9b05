import { afterAll, beforeAll, expect, it } from 'vitest';
import { composeService, createLogger } from '#server/app/compose.ts';
import { fixedOffering } from '#server/models/catalog/offering.ts';
import { readConfig } from '#server/platform/core/settings/config.ts';
import { createUpstreamEngine } from '#server/models/engine/upstream.ts';
import { createGeneration } from '#server/studio/generations/create/create-generation.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { createFakeProviderAdapter } from '#server/studio/generations/testing/fake-provider-adapter.ts';
import {
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { bootstrap } from '#server/app/bootstrap.ts';
import { findCaller } from '#server/accounts/keys/find-caller.ts';
import { useCliFixture } from '#server/app/testing/cli-fixture.ts';
import { reviewCommands } from './review-commands.ts';
import { runCliProcess } from '#server/app/testing/run-cli-process.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse' } };
const cli = useCliFixture();
let studio: FakeProviderServer;
let approved = '';
let rejected = '';

beforeAll(async () => {
  studio = await startFakeProviderServer();
  studio.poll_default = 'unsure';
  const config = readConfig(cli.env());
  const { deps: composed, database } = await composeService(config, createLogger(config));
  const adapter = createFakeProviderAdapter(() => studio);
  const engines = [createUpstreamEngine({ name: 'studio', adapter, supports: () => true })];
  const deps = { ...composed, offering: fixedOffering({ engines }) };
  const bootstrapApiKey = `mgs_org_${'k'.repeat(43)}`;
  await bootstrap({ ...deps, config: { bootstrapApiKey } });
  const caller = await findCaller(deps, bootstrapApiKey);
  if (!caller) throw new Error('There is no first key.');
  const leave = async () => {
    const { body } = await createGeneration(deps, caller, ORDER, undefined);
    await runGeneration(deps, body.id, { shutdown: new AbortController().signal });
    return body.id;
  };
  [approved, rejected] = [await leave(), await leave()];
  await deps.queue.stop(1_000);
  await database.close();
});
afterAll(() => studio.close());

const run = async (...args: readonly string[]): Promise<string> => (await cli.run(reviewCommands, args)).join('\n');

it('lists, shows and decides reviews with their billing', async () => {
  const listed = await run('list');
  expect(listed.split('\n').map((line) => line.split(' ')[0])).toEqual([rejected, approved]);
  const shown = await run('show', approved);
  for (const part of ['The studio asks for a person.', '{"id":"job-1"}', 'upstream cost    $0.01', '/media/ast_']) {
    expect(shown).toContain(part);
  }
  const yes = await run('approve', approved, '--note', 'It is what was asked for.');
  expect(yes).toBe(`${approved}: succeeded, $0.03 settled.`);
  const no = await run('reject', rejected, '--note', 'It is not.');
  expect(no).toBe(`${rejected}: failed, $0.03 released.`);
  const late = await runCliProcess(cli.env(), ['review', 'reject', approved, '--note', 'I think otherwise.']);
  expect(late).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Already decided by someone else/),
  });
  expect(await run('show', approved)).toMatch(/approve, command line, .*: It is what was asked for\./);
  expect(await run('list')).toBe('');
});
