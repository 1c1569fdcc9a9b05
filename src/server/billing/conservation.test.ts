import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatUsd } from '#contract/money.ts';
import { accounts, ledgerEntries } from '../db/billing-schema.ts';
import { generations } from '../db/schema.ts';
import { claim, handBack } from '../generations/lease.ts';
import { settleFailed, settleSucceeded } from '../generations/settle.ts';
import { type SharedService, type Studio, onBothDatabases } from '../generations/testing/both-databases.ts';
import { createScriptedEngine } from '../generations/testing/scripted-engine.ts';
import { isRefusal } from '../testing/test-client.ts';
import { refund } from './move-funds.ts';

/** `CONSERVATION_RUNS=1000` for the full proof. */
const RUNS = Number(process.env['CONSERVATION_RUNS'] ?? 6);
const LENGTH = 50;

const ORDERS = [
  { body: { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } }, price: 30_000n },
  {
    body: {
      task: 'image.edit',
      model: 'imgmodel-a-2.5-flare',
      input: { prompt: 'x', images: [{ url: 'https://example.com/a.png' }] },
    },
    price: 70_281n,
  },
  {
    body: { task: 'video.create', model: 'vidmodel-c-2', input: { prompt: 'xyz', duration_seconds: 7 } },
    price: 402_500n,
  },
  { body: { task: 'social.search', input: { platform: 'social_a', query: 'x', limit: 50 } }, price: 350_000n },
  { body: { task: 'video.trim', input: { video: { url: 'https://example.com/a.mp4' }, end_seconds: 1 } }, price: 0n },
] as const;

type Status = 'active' | 'succeeded' | 'refunded' | 'failed' | 'canceled';
interface Made {
  id: string;
  price: bigint;
  status: Status;
  retried: boolean;
}

/** What the service must say, kept in plain numbers. */
class Model {
  available = 0n;
  reserved = 0n;
  spent = 0n;
  credited = 0n;
  entries = 0;
  readonly made: Made[] = [];

  place(id: string, price: bigint): void {
    this.available -= price;
    this.reserved += price;
    this.entries += price > 0n ? 1 : 0;
    this.made.push({ id, price, status: 'active', retried: false });
  }
  end(one: Made, status: 'succeeded' | 'failed' | 'canceled'): void {
    one.status = status;
    this.reserved -= one.price;
    this.entries += one.price > 0n ? (status === 'succeeded' ? 2 : 1) : 0;
    if (status === 'succeeded') this.spent += one.price;
    else this.available += one.price;
  }
}

interface Step {
  act: keyof typeof ACTS;
  pick: number;
}
type Act = (world: { service: SharedService; studio: Studio; model: Model }, pick: number) => Promise<void>;
const BY = { created_by: null, description: 'It was blurred.' };
const FAILURE = { code: 'engine_failed', message: 'No.', retryable: true };

const anyOf = (model: Model, pick: number, ...statuses: Status[]): Made | undefined => {
  const found = model.made.filter(({ status }) => statuses.includes(status));
  return found[pick % Math.max(found.length, 1)];
};

/** Every way that money moves. */
const ACTS = {
  async create({ studio, model }, pick) {
    const order = ORDERS[pick % ORDERS.length];
    if (!order) return;
    const answer = await studio.attempt('create_generation', { body: order.body });
    if (model.available < order.price) expect(answer.status).toBe(402);
    else if (isRefusal(answer)) throw new Error(JSON.stringify(answer.error));
    else model.place(answer.body.id, order.price);
  },
  async succeed({ service, model }, pick) {
    const one = anyOf(model, pick, 'active');
    const lease = one && (await claim(service.get().deps, one.id));
    if (!lease) return;
    const outcome = { outputs: [], data: null, lengths: {} };
    expect(await settleSucceeded(service.get().deps, lease, outcome)).toBe(true);
    model.end(one, 'succeeded');
    expect(await settleFailed(service.get().deps, lease, FAILURE)).toBe(false);
  },
  async fail({ service, model }, pick) {
    const one = anyOf(model, pick, 'active');
    const lease = one && (await claim(service.get().deps, one.id));
    if (!lease) return;
    expect(await settleFailed(service.get().deps, lease, FAILURE)).toBe(true);
    model.end(one, 'failed');
  },
  async interrupt({ service, model }, pick) {
    const one = anyOf(model, pick, 'active');
    const lease = one && (await claim(service.get().deps, one.id));
    if (lease) await handBack(service.get().deps, lease);
  },
  async cancel({ studio, model }, pick) {
    const one = model.made[pick % Math.max(model.made.length, 1)];
    if (!one) return;
    await studio.call('cancel_generation', { params: { generation_id: one.id } });
    if (one.status === 'active') model.end(one, 'canceled');
  },
  async retry({ studio, model }, pick) {
    const one = model.made[pick % Math.max(model.made.length, 1)];
    if (!one) return;
    const answer = await studio.attempt('retry_generation', { params: { generation_id: one.id } });
    const possible = (one.status === 'failed' || one.status === 'canceled') && !one.retried;
    if (!possible) expect(answer.status).toBe(409);
    else if (model.available < one.price) expect(answer.status).toBe(402);
    else if (isRefusal(answer)) throw new Error(JSON.stringify(answer.error));
    else {
      one.retried = true;
      model.place(answer.body.id, one.price);
    }
  },
  async refund({ service, model }, pick) {
    const one = anyOf(model, pick, 'succeeded');
    if (!one || one.price === 0n) return;
    const { db, clock } = service.get().deps;
    const [row] = await db.select().from(generations).where(eq(generations.id, one.id));
    if (row) await db.transaction((tx) => refund(tx, row, row.amount_micro_usd, BY, clock.now()));
    one.status = 'refunded';
    model.spent -= one.price;
    model.available += one.price;
    model.entries += 1;
  },
  async credit({ studio, model }, pick) {
    const amount = BigInt((pick % 400_000) - 200_000);
    const body = { amount_usd: formatUsd(amount), description: 'Correction' };
    const answer = await studio.attempt('create_credit', { body });
    if (amount === 0n || model.available + amount < 0n) return expect(answer.status).toBe(400);
    expect(answer.status).toBe(201);
    model.available += amount;
    model.credited += amount;
    model.entries += 1;
  },
} as const satisfies Record<string, Act>;

const steps = fc.array(
  fc.record<Step>({
    act: fc.constantFrom('create', 'create', 'create', ...(Object.keys(ACTS) as (keyof typeof ACTS)[])),
    pick: fc.nat({ max: 1_000_000 }),
  }),
  { minLength: LENGTH, maxLength: LENGTH },
);

async function expectConserved(service: SharedService, studio: Studio, model: Model): Promise<void> {
  const { db } = service.get().deps;
  const [account] = await db.select().from(accounts).where(eq(accounts.organization_id, studio.organization_id));
  expect(account).toMatchObject({
    available_micro_usd: model.available,
    reserved_micro_usd: model.reserved,
    spent_micro_usd: model.spent,
  });
  expect(model.available + model.reserved + model.spent).toBe(model.credited);
}

/** The ledger by itself adds up to the same, entry by entry. */
async function expectLedger(
  service: SharedService,
  studio: Studio,
  model: Model,
  opening_entries: number,
): Promise<void> {
  const entries = await service
    .get()
    .deps.db.select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.organization_id, studio.organization_id))
    .orderBy(asc(ledgerEntries.seq));
  expect(entries).toHaveLength(opening_entries + model.entries);
  let available = 0n;
  let reserved = 0n;
  entries.forEach((entry, at) => {
    available += entry.amount_micro_usd;
    if (entry.type === 'RESERVE' || entry.type === 'RELEASE') reserved -= entry.amount_micro_usd;
    expect(entry.seq).toBe(BigInt(at + 1));
    expect(entry.available_after_micro_usd).toBe(available);
    expect(entry.balance_after_micro_usd).toBe(available + reserved);
    expect(available >= 0n && reserved >= 0n).toBe(true);
  });
  expect([available, reserved]).toEqual([model.available, model.reserved]);
}

const OPENING_ENTRIES = 2;

onBothDatabases(
  'Money',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const begin = async (opening: bigint) => {
      const studio = await service.openStudio(formatUsd(opening));
      const model = new Model();
      model.available = model.credited = opening;
      return { service, studio, model };
    };

    it(
      `is neither made nor lost in ${RUNS} sequences of ${LENGTH} operations`,
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.bigInt(0n, 3_000_000n), steps, async (opening, sequence) => {
            const world = await begin(opening);
            for (const { act, pick } of sequence) {
              await ACTS[act](world, pick);
              await expectConserved(service, world.studio, world.model);
            }
            await expectLedger(service, world.studio, world.model, OPENING_ENTRIES);
          }),
          { numRuns: RUNS, endOnFailure: true },
        );
      },
      RUNS * 5_000 + 30_000,
    );

    it('is neither made nor lost where everything happens at once', async () => {
      const world = await begin(2_000_000n);
      const { studio } = world;
      const { deps } = service.get();
      const act = async (at: number): Promise<void> => {
        const order = ORDERS[at % ORDERS.length];
        if (!order) return;
        const made = await studio.attempt('create_generation', { body: order.body });
        if (isRefusal(made)) return expect(made.status).toBe(402);
        const params = { generation_id: made.body.id };
        const lease = at % 3 === 0 ? null : await claim(deps, made.body.id);
        await Promise.all([
          lease &&
            (at % 2
              ? settleFailed(deps, lease, FAILURE)
              : settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} })),
          at % 4 === 0 ? studio.call('cancel_generation', { params }) : undefined,
          studio.attempt('retry_generation', { params }),
        ]);
      };
      await Promise.all(Array.from({ length: 120 }, (_, at) => act(at)));
      const rows = await deps.db
        .select()
        .from(generations)
        .where(eq(generations.organization_id, studio.organization_id));
      const { model } = world;
      for (const row of rows) {
        model.place(row.id, row.amount_micro_usd);
        const one = model.made.at(-1);
        if (one && (row.status === 'succeeded' || row.status === 'failed' || row.status === 'canceled'))
          model.end(one, row.status);
      }
      await expectConserved(service, studio, model);
      await expectLedger(service, studio, model, OPENING_ENTRIES);
    });
  },
);
