import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpstreamEngine, ResponseLostError, type UpstreamAdapter } from '#server/models/engine/upstream.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { createFakeProviderAdapter } from '#server/studio/generations/testing/fake-provider-adapter.ts';
import {
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';

let provider: FakeProviderServer;
const findLostSubmit = vi.fn<NonNullable<UpstreamAdapter['findLostSubmit']>>();
const adapter = Object.assign(
  createFakeProviderAdapter(() => provider),
  { findLostSubmit },
);
const engine = createUpstreamEngine({ name: 'fake', adapter, supports: () => true });

describe('a submit whose response was lost', () => {
  const service = useSharedService(() => ({ engines: [engine], databaseUrl: null }));
  const bench = createWorkerFixture(service);
  let org: TestOrganization;
  beforeAll(async () => {
    provider = await startFakeProviderServer();
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    // Delays have full jitter; 0 gives the shortest.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    provider.reset();
    findLostSubmit.mockReset();
    org = await service.createOrganization('10');
    // The job exists, but its response is lost.
    const submit = adapter.submit.bind(adapter);
    vi.spyOn<UpstreamAdapter, 'submit'>(adapter, 'submit').mockImplementation(async (job) => {
      await submit(job);
      throw new ResponseLostError('The provider hung up.');
    });
  });
  afterEach(() => vi.restoreAllMocks());

  async function run() {
    const { id } = await bench.create(org, 'a lighthouse');
    await runGeneration(service.get().deps, id, { shutdown: new AbortController().signal });
    expect(provider.submits).toHaveLength(1);
    return bench.read(org, id);
  }
  const found = async () => ({ id: provider.jobs[0]?.id });

  it('continues with the job that the provider finds', async () => {
    findLostSubmit.mockImplementation(found);
    expect((await run()).status).toBe('succeeded');
  });

  it('is looked up again if the provider does not list it yet or cannot be reached', async () => {
    findLostSubmit
      .mockRejectedValueOnce(new ResponseLostError('The provider hung up.'))
      .mockResolvedValueOnce(null)
      .mockImplementation(found);
    expect((await run()).status).toBe('succeeded');
    expect(findLostSubmit).toHaveBeenCalledTimes(3);
  });

  it('goes to manual review if it is never found', async () => {
    findLostSubmit.mockResolvedValue(null);
    expect((await run()).status).toBe('manual_review');
    expect(findLostSubmit).toHaveBeenCalledTimes(4);
  });
});
