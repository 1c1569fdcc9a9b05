import { RUN_PRICE } from '#contract/added-models/testing/run-price.ts';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import type { AddedPrice } from '#contract/added-models/prices/price-schema.ts';
import { type AddedModel, AddedModelCreate, type ModelAudience } from '#contract/resources/added-model.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { isActive } from '#contract/statuses.ts';
import { findCaller } from '#server/accounts/keys/find-caller.ts';
import { presentInspection, readModel } from '#server/models/added-models/inspect-model.ts';
import { createAddedModel } from '#server/models/added-models/manage-added-models.ts';
import { createTestService, type TestService, type TestServiceOptions } from '#server/app/testing/test-service.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createFakeFalRecord } from '#server/models/providers/fal/testing/fake-fal-record.ts';
import { createFakeFalHandler } from '#server/models/providers/fal/testing/fake-fal-server.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';

const KEY = 'fal-id-0123456789:fal-secret';
/** A connection has one at least. */
const ONE_MODEL = { task: 'image.create', model: 'imgmodel-b-2' } as const;

/** A run costs ten cents. */
export const PER_RUN: AddedPrice = { ...RUN_PRICE, unit_price_micro_usd: 100_000 };

type Changes = Partial<Omit<AddedModelCreate, 'provider_id' | 'address'>>;
interface OrderOptions {
  key?: string;
  task?: string;
  metadata?: Record<string, string>;
}

/** A service with a worker and a connection to a fake fal. Its jobs succeed at once, unless `nextState` says otherwise. */
export function addedModelsFixture(options: TestServiceOptions = {}) {
  const media = useMediaFixture();
  const record = createFakeFalRecord();
  const state = { next: 'succeeded' as 'succeeded' | 'failed' | 'queued' };
  let upstream: FakeUpstreamServer;
  let service: TestService;
  let worker: Worker | null = null;
  let provider_id: string;

  beforeAll(async () => {
    upstream = await startFakeUpstream(KEY, (fake) => {
      const create = fake.createJob;
      fake.createJob = (key) => Object.assign(create(key), { state: state.next });
      return createFakeFalHandler(fake, record);
    });
    upstream.upstream.outputs = [await readFile(media.picture())];
    service = await createTestService({
      engines: [createScriptedEngine()],
      fetcher: createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }),
      ...options,
      config: { rateLimitPerMinute: 100_000, publicRateLimitPerMinute: 100_000, ...options.config },
    });
    const body = { provider: 'fal', key: KEY, address: upstream.base_url, models: [ONE_MODEL] } as const;
    provider_id = (await service.call('connect_provider', { body })).body.id;
    worker = await startWorker(service.deps);
  });
  afterAll(async () => {
    await worker?.stop();
    await service.close();
    await upstream.close();
  });

  const { signal } = new AbortController();
  const inspect = async (address: string) =>
    presentInspection(await readModel(service.deps, { provider_id, address, overrides: {} }, signal));

  /** The body of a create request, from what the service suggests. */
  async function draftOf(address: string, changes: Changes = {}) {
    const { hash, name, suggested } = await inspect(address);
    const { task, price } = suggested;
    return { provider_id, address, hash, name, task, price: price ?? PER_RUN, ...changes };
  }
  /** Without the limit of requests that call a provider. */
  async function create(address: string, changes?: Changes): Promise<AddedModel> {
    const manager = await findCaller(service.deps, service.keys.organization);
    if (!manager) throw new Error('The first key is not known.');
    const request = AddedModelCreate.parse(await draftOf(address, changes));
    service.deps.clock.advance(1);
    const model_id = await createAddedModel(service.deps, manager, request, signal);
    return (await service.call('get_added_model', { params: { model_id } })).body;
  }
  const change = async (model_id: string, body: Record<string, unknown>): Promise<AddedModel> =>
    (await service.call('update_added_model', { params: { model_id }, body })).body;

  const read = async (generation_id: string): Promise<Generation> =>
    (await service.call('get_generation', { params: { generation_id } })).body;

  return {
    media,
    record,
    state,
    inspect,
    draftOf,
    create,
    change,
    read,
    get service() {
      return service;
    },
    get upstream() {
      return upstream.upstream;
    },
    get provider_id() {
      return provider_id;
    },
    async publish(address: string, changes?: Changes, audience?: ModelAudience): Promise<AddedModel> {
      const { id } = await create(address, changes);
      return change(id, { state: 'published', ...(audience ? { audience } : {}) });
    },
    order(
      model: Pick<AddedModel, 'id' | 'task'>,
      input: Record<string, unknown>,
      { key, metadata, task }: OrderOptions = {},
    ) {
      const body = { task: task ?? model.task, model: model.id, input, ...(metadata ? { metadata } : {}) };
      return service.request('create_generation', { body, ...(key === undefined ? {} : { key }) });
    },
    async complete(id: string): Promise<Generation> {
      return waitFor(`${id} to complete`, async () => {
        const generation = await read(id);
        return isActive(generation.status) ? null : generation;
      });
    },
    /** Orders and waits for the end. */
    async run(
      model: Pick<AddedModel, 'id' | 'task'>,
      input: Record<string, unknown>,
      more?: OrderOptions,
    ): Promise<Generation> {
      const response = await this.order(model, input, more);
      if (!('body' in response)) return expect.fail(JSON.stringify(response.error));
      return this.complete(response.body.id);
    },
    /** What the ledger has of a generation, oldest first. */
    async entriesOf(generation_id: string): Promise<string[]> {
      const { data } = (await service.call('list_ledger', { query: { generation_id } })).body;
      return data.map(({ type, amount_usd }) => `${type} ${amount_usd}`).toReversed();
    },
    async stopWorker(): Promise<void> {
      await worker?.stop();
      worker = null;
    },
    async startWorker(): Promise<void> {
      worker ??= await startWorker(service.deps);
    },
  };
}
