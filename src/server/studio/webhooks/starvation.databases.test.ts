import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { generations } from '#server/platform/db/schema/schema.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import type { Fetcher } from '#server/platform/net/fetcher.ts';
import { recordEvent } from './record-event.ts';
import { type WebhookReceiver, startWebhookReceiver } from './testing/webhook-receiver.ts';
import { createDelivererFixture } from './testing/deliverer-fixture.ts';

const HANGING = 50;
const EVENTS = 200;
/** As the service does. */
const LOOK_EVERY_MS = 1_000;
/** Hanging requests are never aborted during the test. */
const FOR_GOOD_MS = 3_600_000;

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());

describeOnBothDatabases(
  'a healthy endpoint',
  () => {
    const post: Fetcher['post'] = (url, options) => receiver.fetcher.post(url, { ...options, timeoutMs: FOR_GOOD_MS });
    return { fetcher: { ...receiver.fetcher, post }, engines: [createScriptedEngine()] };
  },
  (service) => {
    const deliverer = createDelivererFixture(service);
    const workers = createWorkerFixture(service);
    afterEach(async () => {
      const stopped = deliverer.stop();
      receiver.release();
      await stopped;
      await workers.stop();
    });

    it(`receives ${EVENTS} events while ${HANGING} other endpoints hang`, async () => {
      const organization = await service.createOrganization('10');
      const { deps } = service.get();
      await workers.start();
      const made = await workers.create(organization, 'a picture');
      await workers.waitForStatus(organization, made.id, 'succeeded');
      await workers.stop();
      const [row] = await deps.db.select().from(generations).where(eq(generations.id, made.id));
      if (!row) throw new Error('There is no generation.');

      const run = `/${deps.config.databaseUrl === null ? 'embedded' : 'shared'}-${Date.now()}`;
      const hanging = Array.from({ length: HANGING }, (_, index) => `${run}/hangs/${index}`);
      for (const path of hanging) {
        receiver.defaultBehaviors.set(path, 'hang');
        await deliverer.register(organization, receiver.url(path));
      }
      const healthy = `${run}/healthy`;
      await deliverer.register(organization, receiver.url(healthy));
      await deliverer.start(LOOK_EVERY_MS);

      for (let index = 0; index < EVENTS; index += 1) await deps.db.transaction((tx) => recordEvent(deps, tx, row));
      const arrived = () => new Set(receiver.receivedAt(healthy).map(({ event }) => event.id));
      await waitFor('every event', async () => arrived().size === EVENTS);
      expect(receiver.receivedAt(healthy)).toHaveLength(EVENTS);
      await waitFor('what hangs', async () => hanging.every((path) => receiver.waiting(path) === 2));
      for (const path of hanging) expect(receiver.receivedAt(path)).toHaveLength(2);
    });
  },
);
