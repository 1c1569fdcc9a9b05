import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { formatUsd } from '#contract/money.ts';
import { generations } from '../../db/schema.ts';
import { claim, handBack } from '../../generations/lease.ts';
import { settleFailed, settleSucceeded } from '../../generations/settle.ts';
import type { SharedService, Studio } from '../../generations/testing/both-databases.ts';
import { isRefusal } from '../../testing/test-client.ts';
import { refund } from '../move-funds.ts';

export const ORDERS = [
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
export class Model {
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

export interface Step {
  act: keyof typeof ACTS;
  pick: number;
}
type Act = (world: { service: SharedService; studio: Studio; model: Model }, pick: number) => Promise<void>;
const BY = { created_by: null, description: 'It was blurred.' };
export const FAILURE = { code: 'engine_failed', message: 'No.', retryable: true };

const anyOf = (model: Model, pick: number, ...statuses: Status[]): Made | undefined => {
  const found = model.made.filter(({ status }) => statuses.includes(status));
  return found[pick % Math.max(found.length, 1)];
};

/** Every way that money moves. */
export const ACTS = {
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
