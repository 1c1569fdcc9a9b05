import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { formatUsd } from '#contract/money/money.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { claimGeneration, releaseLease } from '#server/studio/generations/generation-lease.ts';
import { settleFailed, settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import type { SharedService, TestOrganization } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { refundFunds } from '#server/accounts/billing/fund-transfers.ts';

export const PRICED_REQUESTS = [
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

type ModelStatus = 'active' | 'succeeded' | 'refunded' | 'failed' | 'canceled';
interface ModelGeneration {
  id: string;
  price: bigint;
  status: ModelStatus;
  retried: boolean;
}

export class AccountModel {
  available = 0n;
  reserved = 0n;
  spent = 0n;
  credited = 0n;
  entries = 0;
  readonly generations: ModelGeneration[] = [];

  addGeneration(id: string, price: bigint): void {
    this.available -= price;
    this.reserved += price;
    this.entries += price > 0n ? 1 : 0;
    this.generations.push({ id, price, status: 'active', retried: false });
  }
  complete(one: ModelGeneration, status: 'succeeded' | 'failed' | 'canceled'): void {
    one.status = status;
    this.reserved -= one.price;
    this.entries += one.price > 0n ? (status === 'succeeded' ? 2 : 1) : 0;
    if (status === 'succeeded') this.spent += one.price;
    else this.available += one.price;
  }
}

export interface AccountStep {
  act: keyof typeof ACCOUNT_ACTIONS;
  pick: number;
}
type AccountAction = (
  world: { service: SharedService; studio: TestOrganization; model: AccountModel },
  pick: number,
) => Promise<void>;
const REFUND_AUTHOR = { created_by: null, description: 'It was blurred.' };
export const SAMPLE_FAILURE = { code: 'engine_failed', message: 'No.', retryable: true };

const pickGeneration = (model: AccountModel, pick: number, ...statuses: ModelStatus[]): ModelGeneration | undefined => {
  const matching = model.generations.filter(({ status }) => statuses.includes(status));
  return matching[pick % Math.max(matching.length, 1)];
};

export const ACCOUNT_ACTIONS = {
  async create({ studio, model }, pick) {
    const order = PRICED_REQUESTS[pick % PRICED_REQUESTS.length];
    if (!order) return;
    const answer = await studio.request('create_generation', { body: order.body });
    if (model.available < order.price) expect(answer.status).toBe(402);
    else if (isErrorResponse(answer)) throw new Error(JSON.stringify(answer.error));
    else model.addGeneration(answer.body.id, order.price);
  },
  async succeed({ service, model }, pick) {
    const one = pickGeneration(model, pick, 'active');
    const lease = one && (await claimGeneration(service.get().deps, one.id));
    if (!lease) return;
    const outcome = { outputs: [], data: null, lengths: {} };
    expect(await settleSucceeded(service.get().deps, lease, outcome)).toBe(true);
    model.complete(one, 'succeeded');
    expect(await settleFailed(service.get().deps, lease, SAMPLE_FAILURE)).toBe(false);
  },
  async fail({ service, model }, pick) {
    const one = pickGeneration(model, pick, 'active');
    const lease = one && (await claimGeneration(service.get().deps, one.id));
    if (!lease) return;
    expect(await settleFailed(service.get().deps, lease, SAMPLE_FAILURE)).toBe(true);
    model.complete(one, 'failed');
  },
  async interrupt({ service, model }, pick) {
    const one = pickGeneration(model, pick, 'active');
    const lease = one && (await claimGeneration(service.get().deps, one.id));
    if (lease) await releaseLease(service.get().deps, lease);
  },
  async cancel({ studio, model }, pick) {
    const one = model.generations[pick % Math.max(model.generations.length, 1)];
    if (!one) return;
    await studio.call('cancel_generation', { params: { generation_id: one.id } });
    if (one.status === 'active') model.complete(one, 'canceled');
  },
  async retry({ studio, model }, pick) {
    const one = model.generations[pick % Math.max(model.generations.length, 1)];
    if (!one) return;
    const answer = await studio.request('retry_generation', { params: { generation_id: one.id } });
    const possible = (one.status === 'failed' || one.status === 'canceled') && !one.retried;
    if (!possible) expect(answer.status).toBe(409);
    else if (model.available < one.price) expect(answer.status).toBe(402);
    else if (isErrorResponse(answer)) throw new Error(JSON.stringify(answer.error));
    else {
      one.retried = true;
      model.addGeneration(answer.body.id, one.price);
    }
  },
  async refund({ service, model }, pick) {
    const one = pickGeneration(model, pick, 'succeeded');
    if (!one || one.price === 0n) return;
    const { db, clock } = service.get().deps;
    const [row] = await db.select().from(generations).where(eq(generations.id, one.id));
    if (row) await db.transaction((tx) => refundFunds(tx, row, row.amount_micro_usd, REFUND_AUTHOR, clock.now()));
    one.status = 'refunded';
    model.spent -= one.price;
    model.available += one.price;
    model.entries += 1;
  },
  async credit({ studio, model }, pick) {
    const amount = BigInt((pick % 400_000) - 200_000);
    const body = { amount_usd: formatUsd(amount), description: 'Correction' };
    const answer = await studio.request('create_credit', { body });
    if (amount === 0n || model.available + amount < 0n) return expect(answer.status).toBe(400);
    expect(answer.status).toBe(201);
    model.available += amount;
    model.credited += amount;
    model.entries += 1;
  },
} as const satisfies Record<string, AccountAction>;
