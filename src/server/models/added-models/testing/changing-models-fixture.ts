import { afterAll, beforeAll } from 'vitest';
import sharp from 'sharp';
import type { AddedModel, AddedModelCreate } from '#contract/resources/added-model.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { presentInspection, readModel } from '#server/models/added-models/inspect-model.ts';
import { createAddedModel } from '#server/models/added-models/manage-added-models.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import type { FakeFalModel } from '#server/models/providers/fal/testing/fake-fal-models.ts';
import { createFakeFalRecord, type FakeFalRecord } from '#server/models/providers/fal/testing/fake-fal-record.ts';
import { createFakeFalHandler } from '#server/models/providers/fal/testing/fake-fal-server.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';

const NEVER_ABORTED = new AbortController().signal;
const KEY = 'fal-id-0123456789:fal-secret';

export interface ChangingModelsFixture {
  readonly service: TestService;
  readonly fal: FakeUpstreamServer;
  readonly record: FakeFalRecord;
  /** @returns the id of another connection of the same fake fal */
  connect(): Promise<string>;
  /** Adds a model of the fake fal, at its suggested price; published unless `state` says otherwise. */
  add(endpoint: string, changes?: Partial<AddedModelCreate> & { state?: 'draft' }): Promise<AddedModel>;
  read(id: string): Promise<AddedModel>;
  /** Changes a model at the provider; null: it is gone. */
  changeAtProvider(endpoint: string, change: Partial<FakeFalModel> | null): void;
}

/** The service with a fake fal, both new for each file of tests. */
export function useChangingModels(): ChangingModelsFixture {
  const record = createFakeFalRecord();
  let fal: FakeUpstreamServer;
  let service: TestService;
  let connection_id: string;

  async function connect(): Promise<string> {
    const models = [{ task: 'image.create' as const, model: 'imgmodel-b-2' as const }];
    const body = { provider: 'fal' as const, key: KEY, address: fal.base_url, models };
    return (await service.call('connect_provider', { body })).body.id;
  }

  beforeAll(async () => {
    fal = await startFakeUpstream(KEY, (upstream) => createFakeFalHandler(upstream, record));
    const image = sharp({ create: { width: 64, height: 64, channels: 3, background: '#284' } });
    fal.upstream.outputs = [await image.png().toBuffer()];
    service = await createTestService({ fetcher: createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }) });
    connection_id = await connect();
  });
  afterAll(async () => {
    await service.close();
    await fal.close();
  });

  const read = async (id: string) => (await service.call('get_added_model', { params: { model_id: id } })).body;
  return {
    get service() {
      return service;
    },
    get fal() {
      return fal;
    },
    record,
    connect,
    read,
    async add(endpoint, { state, ...changes } = {}) {
      const { deps, organization_id } = service;
      // Over HTTP there is a limit of calls to providers.
      const source = { provider_id: connection_id, address: endpoint, overrides: {} };
      const { suggested, hash, name } = presentInspection(await readModel(deps, source, NEVER_ABORTED));
      const { task, price } = suggested;
      if (!price) throw new Error(`${endpoint} has no price.`);
      const request = { ...source, hash, name, description: null, task, price, markup_percent: 0, ...changes };
      const id = await createAddedModel(deps, shellActor(organization_id), request, NEVER_ABORTED);
      if (state === 'draft') return read(id);
      return (await service.call('update_added_model', { params: { model_id: id }, body: { state: 'published' } }))
        .body;
    },
    changeAtProvider(endpoint, change) {
      const { [endpoint]: model, ...others } = record.models;
      if (!model) throw new Error(`There is no model ${endpoint}.`);
      record.models = change === null ? others : { ...others, [endpoint]: { ...model, ...change } };
    },
  };
}
