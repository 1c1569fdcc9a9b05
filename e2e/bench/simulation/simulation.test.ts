import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { simulateLane } from './simulate-lane.ts';
import { quantile, simulateAll } from './simulation.ts';
import { type Order, type QueuedOrder, TurnQueue } from './turn-queue.ts';
import { createRandom, exponential } from './workload.ts';

const ORDERS = 400_000;
const PLACES = 4;
const PER_SECOND = 3;
const RUN_SECONDS = 1;

/** The probability that an order waits, by Erlang's formula. */
function erlangC(places: number, load: number): number {
  let [term, sum] = [1, 1];
  for (let busy = 1; busy < places; busy += 1) sum += term *= load / busy;
  const full = ((term * load) / places) * (places / (places - load));
  return full / (sum + full);
}

function createPoissonOrders(seed: number): Order[] {
  const random = createRandom(seed);
  let atSeconds = 0;
  return Array.from({ length: ORDERS }, () => ({
    atSeconds: (atSeconds += exponential(random, 1 / PER_SECOND)),
    organization: 0,
    key: 0,
    runSeconds: exponential(random, RUN_SECONDS),
  }));
}

describe('one organization with one key', () => {
  const orders = createPoissonOrders(1);
  const waiting = erlangC(PLACES, PER_SECOND * RUN_SECONDS);
  const drain = PLACES / RUN_SECONDS - PER_SECOND;

  it.each([
    { kind: 'local', processes: 2, places: PLACES / 2 },
    { kind: 'provider', processes: 2, places: PLACES },
  ] as const)('waits as long as M/M/c says, at $kind places', (lane) => {
    const waits = simulateLane(orders, { ...lane, orderBy: 'turns' }).toSorted();
    const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
    expect(mean / (waiting / drain)).toBeCloseTo(1, 1);
    expect(quantile(waits, 0.99) / (Math.log(waiting / 0.01) / drain)).toBeCloseTo(1, 1);
    expect(waits.filter((wait) => wait > 0).length / waits.length).toBeCloseTo(waiting, 1);
  });
});

it('has equal results for equal seeds only', () => {
  const simulated = (seed: number) => simulateAll({ seed, organizations: 200 }, [300_000]);
  expect(simulated(5)).toEqual(simulated(5));
  expect(simulated(5)).not.toEqual(simulated(6));
});

describe('the queue of the simulation', () => {
  let service: TestService;
  const keys: { key: string; number: number; organization: number }[] = [];
  beforeAll(async () => {
    service = await createTestService({
      engines: [createScriptedEngine()],
      config: { rateLimitPerMinute: 1_000_000 },
    });
    for (const organization of [0, 1]) {
      const owner = await service.addOrganization();
      for (const number of [0, 1, 2]) {
        const body = { name: `Key ${number}`, kind: 'member' } as const;
        const created = (await service.call('create_api_key', { key: owner.key, body })).body;
        keys.push({ key: created.key, number: organization * 10 + number, organization });
      }
    }
  });
  afterAll(() => service.close());

  it('gives the turns of the service', async () => {
    const random = createRandom(3);
    const queue = new TurnQueue('turns');
    const ids: string[] = [];
    const { db } = service.deps;
    const body = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'a pear' } };
    const [turns, expected]: [number[], number[]] = [[], []];
    const startNext = async () => {
      const queued = queue.claim() as QueuedOrder;
      queue.start(queued);
      await db
        .update(generations)
        .set({ status: 'running' })
        .where(eq(generations.id, ids[queued.index] ?? ''));
    };
    while (ids.length < 80) {
      if (queue.size > 0 && random() < 0.3) await startNext();
      // The first key orders most.
      const from = keys[Math.floor(random() ** 3 * keys.length)];
      if (!from) throw new Error('There is no key.');
      const order = { atSeconds: 0, organization: from.organization, key: from.number, runSeconds: 1 };
      turns.push(queue.push(order, ids.length));
      ids.push((await service.call('create_generation', { key: from.key, body })).body.id);
    }
    for (const { id, turn } of await readRows<{ id: string; turn: number }>(
      db,
      sql`select id, turn from generations order by created_at, id`,
    ))
      expected[ids.indexOf(id)] = turn;
    expect(turns).toEqual(expected);
  });
});
