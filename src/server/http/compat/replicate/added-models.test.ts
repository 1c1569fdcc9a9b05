import { readFile } from 'node:fs/promises';
import Replicate from 'replicate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_PRICE } from '#contract/added-models/testing/run-price.ts';
import { AddedModelCreate } from '#contract/resources/added-model.ts';
import { shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { freePort } from '#server/app/testing/free-port.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { presentInspection, readModel } from '#server/models/added-models/inspect-model.ts';
import { createAddedModel } from '#server/models/added-models/manage-added-models.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { versionId } from '#server/models/providers/replicate/testing/fake-replicate-schemas.ts';
import {
  createFakeReplicateHandler,
  createFakeReplicateState,
} from '#server/models/providers/replicate/testing/fake-replicate-server.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';

const KEY = 'r8_secret';
const media = useMediaFixture();
const account = createFakeReplicateState();
const { signal } = new AbortController();
let upstream: FakeUpstreamServer;
let service: TestService;
let worker: Worker;
let provider_id: string;
let client: Replicate;

beforeAll(async () => {
  upstream = await startFakeUpstream(KEY, (fake) => {
    const create = fake.createJob;
    fake.createJob = (key) => Object.assign(create(key), { state: 'succeeded' });
    return createFakeReplicateHandler(fake, account);
  });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  service = await createTestService({
    fetcher: createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }),
    config: { rateLimitPerMinute: 100_000, publicUrl: origin },
  });
  const models = [{ task: 'image.create', model: 'imgmodel-b-2' }] as const;
  const body = { provider: 'replicate', key: KEY, address: upstream.base_url, models: [...models] } as const;
  provider_id = (await service.call('connect_provider', { body })).body.id;
  worker = await startWorker(service.deps);
  await service.app.listen({ port, host: '127.0.0.1' });
  client = new Replicate({ auth: service.keys.organization, baseUrl: `${origin}/compat/replicate/v1` });
});
afterAll(async () => {
  await worker.stop();
  await service.close();
  await upstream.close();
});

async function publish(address: string): Promise<string> {
  const { deps, organization_id } = service;
  const source = { provider_id, address, overrides: {} };
  const { suggested, hash, name } = presentInspection(await readModel(deps, source, signal));
  const price = { ...RUN_PRICE, unit_price_micro_usd: 100_000 };
  const request = AddedModelCreate.parse({ ...source, hash, name, task: suggested.task, price });
  const model_id = await createAddedModel(deps, shellActor(organization_id), request, signal);
  await service.call('update_added_model', { params: { model_id }, body: { state: 'published' } });
  return model_id;
}

describe('a model that was added from Replicate', () => {
  it('has its own address, its pinned version and the parameters of its schema', async () => {
    upstream.upstream.outputs = [await readFile(media.sound())];
    await publish('acme/reader');
    const model = await client.models.get('acme', 'reader');
    expect(model.latest_version).toMatchObject({
      id: versionId('a'),
      openapi_schema: {
        components: {
          schemas: {
            Input: {
              required: ['text'],
              properties: { speaker: { type: 'string', format: 'uri' }, voice: { enum: ['Ada', 'Ben', 'Cleo'] } },
            },
            Output: { type: 'string', format: 'uri' },
          },
        },
      },
    });
    const speaker = await client.files.create(await readFile(media.sound()));
    const input = { text: 'Good morning', voice: 'Ben', speed: 1.5, seed: 7, speaker: speaker.urls.get };
    const output = await client.run(`acme/reader:${versionId('a')}`, { input });
    expect(output).toEqual(expect.stringContaining('/media/ast_'));
    expect(account.created.at(-1)).toMatchObject({
      version: `acme/reader:${versionId('a')}`,
      input: { text: 'Good morning', voice: 'Ben', speed: 1.5, seed: 7 },
    });
    const { results } = await client.predictions.list();
    expect(results[0]).toMatchObject({
      model: 'acme/reader',
      version: versionId('a'),
      input: { text: 'Good morning', speaker: expect.stringContaining('/media/upl_') },
    });
  });

  it('returns a list where its schema says so, and text in parts', async () => {
    await publish('acme/composer');
    const music = await client.run(`acme/composer:${versionId('d')}`, { input: { prompt: 'a waltz', duration: 4 } });
    expect(music).toEqual([expect.stringContaining('/media/ast_')]);
    const described = await publish('acme/describer');
    const image = await client.files.create(await readFile(media.picture()));
    // As clients that always send a count do.
    const input = { image: image.urls.get, num_outputs: 1 };
    expect(await client.run('acme/describer', { input })).toEqual(['A pear on a table.']);
    expect(await client.run(`emulsion/${described}`, { input })).toEqual(['A pear on a table.']);
  });

  it('refuses what its schema has not', async () => {
    const version = versionId('a');
    await expect(client.predictions.create({ version, input: { text: 'x', num_outputs: 2 } })).rejects.toThrow(
      'input.num_outputs',
    );
    await expect(client.predictions.create({ version, input: { text: 'x', duration: 3 } })).rejects.toThrow(
      'input.duration',
    );
    await expect(client.predictions.create({ version: versionId('b'), input: {} })).rejects.toThrow(
      'This version does not exist here.',
    );
  });
});
