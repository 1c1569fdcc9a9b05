import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '#server/platform/core/clock.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { createUpstreamEngine } from '#server/models/engine/upstream.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createFakeProviderAdapter } from '#server/studio/generations/testing/fake-provider-adapter.ts';
import {
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';

let studio: FakeProviderServer;
beforeAll(async () => {
  studio = await startFakeProviderServer();
});
afterAll(() => studio.close());
// The queue uses the real time, so the test uses the real clock.
const clock = { ...systemClock, advance: () => undefined };
const adapter = createFakeProviderAdapter(() => studio, { pollAfterMs: 5_000 });
const engine = createUpstreamEngine({ name: 'studio', adapter, supports: () => true });

describeOnBothDatabases(
  'A long wait for another service',
  () => ({ engines: [engine], clock }),
  (service) => {
    const bench = createWorkerFixture(service);
    afterEach(() => bench.stop());

    it('holds no lease and resumes when the wait is over', async () => {
      studio.reset();
      const org = await service.createOrganization('1');
      await bench.start();
      const { id } = await bench.create(org, 'a lighthouse');
      const { db } = service.get().deps;
      const waits = async () => {
        const [row] = await db.select().from(generations).where(eq(generations.id, id));
        return row?.status === 'running' && row.lease_owner === null;
      };
      await waitFor('it to be let go', waits);
      expect(studio.jobs).toMatchObject([{ key: id, polls: 0 }]);
      await waitFor('its end', async () => (await bench.read(org, id)).status === 'succeeded');
      expect(studio.jobs).toMatchObject([{ key: id, polls: 1 }]);
      expect(await bench.readLedgerEntries(id)).toEqual(['RELEASE 30000', 'RESERVE -30000', 'SETTLE -30000']);
    });
  },
);
