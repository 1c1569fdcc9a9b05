import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '#server/core/clock.ts';
import { generations } from '#server/db/schema.ts';
import { createUpstreamEngine } from '#server/engines/upstream.ts';
import { describeOnBothDatabases } from '../testing/shared-service-fixture.ts';
import { createFakeProviderAdapter } from '../testing/fake-provider-adapter.ts';
import { type FakeProviderServer, startFakeProviderServer } from '../testing/fake-provider-server.ts';
import { waitFor } from '../testing/wait-for.ts';
import { createWorkerFixture } from '../testing/worker-fixture.ts';

const LONG_MS = 60_000;

let studio: FakeProviderServer;
beforeAll(async () => {
  studio = await startFakeProviderServer();
});
afterAll(() => studio.close());
// The queue uses the real time, so the test uses the real clock.
const clock = { ...systemClock, advance: () => undefined };
const adapter = createFakeProviderAdapter(() => studio, { poll_after_ms: 5_000 });
const engine = createUpstreamEngine({ name: 'studio', adapter, supports: () => true });

describeOnBothDatabases(
  'A long wait for another service',
  () => ({ engines: [engine], clock }),
  (service) => {
    const bench = createWorkerFixture(service);
    afterEach(() => bench.stop());

    it('holds no lease and resumes when the wait is over', { timeout: 2 * LONG_MS }, async () => {
      studio.reset();
      const org = await service.createOrganization('1');
      await bench.start();
      const { id } = await bench.create(org, 'a lighthouse');
      const { db } = service.get().deps;
      const waits = async () => {
        const [row] = await db.select().from(generations).where(eq(generations.id, id));
        return row?.status === 'running' && row.lease_owner === null;
      };
      await waitFor('it to be let go', waits, LONG_MS);
      expect(studio.jobs).toMatchObject([{ key: id, polls: 0 }]);
      await waitFor('its end', async () => (await bench.read(org, id)).status === 'succeeded', LONG_MS);
      expect(studio.jobs).toMatchObject([{ key: id, polls: 1 }]);
      expect(await bench.readLedgerEntries(id)).toEqual(['RELEASE 30000', 'RESERVE -30000', 'SETTLE -30000']);
    });
  },
);
