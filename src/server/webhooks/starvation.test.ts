import { setTimeout } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { generations } from '../db/schema.ts';
import { onBothDatabases } from '../generations/testing/both-databases.ts';
import { createScriptedEngine } from '../generations/testing/scripted-engine.ts';
import { waitFor } from '../generations/testing/wait-for.ts';
import { createWorkerBench } from '../generations/testing/worker-bench.ts';
import { recordEvent } from './record-event.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';
import { createWebhookBench } from './testing/webhook-bench.ts';

const HANGING = 50;
const EVENTS = 200;
/** As the service does. */
const LOOK_EVERY_MS = 1_000;
/** The promise is 2 s, which `npm run bench` measures; this tells a queue behind what hangs, where it would be 10 s and more. */
const PATIENCE_MS = 8_000;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

onBothDatabases(
  'a healthy endpoint',
  () => ({ fetcher: receiver.fetcher, engines: [createScriptedEngine()] }),
  (service) => {
    const bench = createWebhookBench(service);
    const workers = createWorkerBench(service);
    afterEach(async () => {
      receiver.release();
      await bench.stop();
      await workers.stop();
    });

    it(`gets ${EVENTS} events without delay beside ${HANGING} that hang`, async () => {
      const studio = await service.openStudio('10');
      const { deps } = service.get();
      await workers.start();
      const made = await workers.create(studio, 'a picture');
      await workers.reach(studio, made.id, 'succeeded');
      await workers.stop();
      const [row] = await deps.db.select().from(generations).where(eq(generations.id, made.id));
      if (!row) throw new Error('There is no generation.');

      const run = `/${deps.config.database_url === null ? 'embedded' : 'shared'}-${Date.now()}`;
      const hanging = Array.from({ length: HANGING }, (_, index) => `${run}/hangs/${index}`);
      for (const path of hanging) {
        receiver.always.set(path, 'hang');
        await bench.register(studio, receiver.url(path));
      }
      const healthy = `${run}/healthy`;
      await bench.register(studio, receiver.url(healthy));
      await bench.start(LOOK_EVERY_MS);

      const recorded: number[] = [];
      for (let index = 0; index < EVENTS; index += 1) {
        await deps.db.transaction((tx) => recordEvent(deps, tx, row));
        recorded.push(performance.now());
        // Some twenty a second, which is more than one process makes.
        await setTimeout(50);
      }
      await waitFor('every event', async () => receiver.at(healthy).length >= EVENTS, 60_000);
      const arrived = receiver.at(healthy).map(({ event, at_ms }) => ({ id: event.id, at_ms }));
      // Ids sort by time.
      const in_order = arrived.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const delays = in_order.map(({ at_ms }, index) => at_ms - (recorded[index] ?? 0)).sort((a, b) => a - b);
      expect(new Set(arrived.map(({ id }) => id)).size).toBe(EVENTS);
      expect(delays[Math.floor(EVENTS * 0.99)]).toBeLessThan(PATIENCE_MS);
      for (const path of hanging) expect(receiver.most_waiting(path)).toBeLessThanOrEqual(2);
      expect(hanging.filter((path) => receiver.most_waiting(path) === 2).length).toBeGreaterThan(HANGING / 2);
    }, 120_000);
  },
);
