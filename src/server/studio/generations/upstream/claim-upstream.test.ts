import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generations } from '#server/platform/db/schema/schema.ts';
import { createUpstreamEngine } from '#server/models/engine/upstream.ts';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { createFakeProviderAdapter } from '#server/studio/generations/testing/fake-provider-adapter.ts';
import {
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { claimUpstream } from './claim-upstream.ts';

const postgres = await sharedPostgres();

describe.skipIf(!postgres)('UPSTREAM_CONCURRENCY (needs PostgreSQL)', () => {
  let provider: FakeProviderServer;
  beforeAll(async () => {
    provider = await startFakeProviderServer();
  });
  afterAll(() => provider.close());
  const service = useSharedService(async () => {
    const databaseUrl = (await postgres?.createDatabase()) ?? null;
    const adapter = createFakeProviderAdapter(() => provider);
    const engines = [createUpstreamEngine({ name: 'studio', adapter, supports: () => true })];
    return { databaseUrl, engines, config: { databaseUrl, upstreamConcurrency: 2 } };
  });
  const bench = createWorkerFixture(service);

  it('counts over all processes, and admits the next when one has ended', async () => {
    const { deps } = service.get();
    const org = await service.createOrganization('10');
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await bench.create(org, 'a pear')).id);
    const shutdown = new AbortController();
    const tries = vi.spyOn(deps.db, 'transaction');
    const claimed: string[] = [];
    const claims = ids.map(async (id) => {
      const lease = await claimUpstream(deps, id, shutdown.signal);
      if (lease) claimed.push(lease.row.id);
    });
    await expect.poll(() => tries.mock.calls.length).toBeGreaterThan(12);
    expect(claimed).toHaveLength(2);
    await org.call('cancel_generation', { params: { generation_id: claimed[0] ?? '' } });
    await expect.poll(() => claimed.length).toBe(3);
    shutdown.abort(new Error('shutdown'));
    const ended = await Promise.allSettled(claims);
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    const rows = await deps.db.select().from(generations).where(inArray(generations.id, ids));
    expect(rows.map(({ status }) => status).sort()).toEqual(['canceled', 'queued', 'queued', 'running', 'running']);
  });
});
