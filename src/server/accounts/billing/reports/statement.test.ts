import { beforeAll, expect, it } from 'vitest';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import { PRICES } from '#contract/money/pricing.ts';
import { fixedOffering } from '#server/models/catalog/offering.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { recordPrices } from './price-books.ts';
import { parseCsv } from '#server/accounts/billing/testing/parse-csv.ts';

const DAY_MS = 24 * 3_600_000;
const clock = createTestClock(new Date('2026-01-31T23:59:00.000Z'));
const service = useSharedService(() => ({ engines: [createScriptedEngine()], clock }));
let studio: TestOrganization;

async function make(model: string, input: Record<string, unknown>, lengths = {}): Promise<string> {
  const { deps } = service.get();
  const task = model.startsWith('img') ? 'image.create' : 'video.create';
  const { body } = await studio.call('create_generation', { body: { task, model, input } });
  const lease = await claimGeneration(deps, body.id);
  if (lease) await settleSucceeded(deps, lease, { outputs: [], data: null, lengths });
  return body.id;
}
const statement = async (month?: string) =>
  (await studio.call('get_statement', { query: month === undefined ? {} : { month } })).body;

beforeAll(async () => {
  studio = await service.createOrganization('20');
  await recordPrices(service.get().deps);
  await make('imgmodel-a-2', { prompt: 'x' });
  clock.advance(60_000);
  const dear = PRICES.map((row) => ({ ...row, unit_price_micro_usd: row.unit_price_micro_usd * 2n }));
  const offering = fixedOffering({ engines: [], prices: dear });
  await recordPrices({ ...service.get().deps, offering });
  await recordPrices({ ...service.get().deps, offering });
  await make('imgmodel-b-pro', { prompt: 'x', aspect_ratio: '16:9' });
  await make('vidmodel-c-2', { prompt: 'xyz', duration_seconds: 10 });
  const refunded = await make('vidmodel-c-2', { prompt: 'xyz', duration_seconds: 4 });
  await studio.call('create_refund', { body: { generation_id: refunded, reason: 'Blurred', amount_usd: '0.1' } });
  clock.advance(28 * DAY_MS);
  await make('imgmodel-a-2', { prompt: 'x' });
});

it('a month opens with the closing of the previous month, and its entries explain the difference', async () => {
  const [january, february, march, april] = await Promise.all(
    ['2026-01', '2026-02', '2026-03', '2026-04'].map(statement),
  );
  expect(january).toMatchObject({
    opening: { available_usd: '0.00' },
    closing: { available_usd: '19.97' },
    first_seq: 1,
  });
  expect(february).toMatchObject({
    opening: january?.closing,
    from: '2026-02-01T00:00:00.000Z',
    to: '2026-03-01T00:00:00.000Z',
    is_final: true,
    spent_usd: '0.91',
    entry_count: 10,
    head_seq: february?.last_seq,
    first_month: '2026-01',
  });
  const moved = february?.by_type.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n) ?? 0n;
  expect(formatUsd(parseUsd(february?.opening?.available_usd ?? '') + moved)).toBe(february?.closing?.available_usd);
  expect(february?.by_type).toHaveLength(7);
  expect(march).toMatchObject({ opening: february?.closing, is_final: false, entry_count: 3 });
  expect(april).toMatchObject({ opening: march?.closing, closing: march?.closing, entry_count: 0, first_seq: null });
  expect([april?.head_seq, april?.head_hash]).toEqual([march?.last_seq, march?.head_hash]);
  expect(await statement()).toEqual(march);
  expect((await studio.callError('get_statement', { query: { month: '2026-13' } })).status).toBe(422);
});

it('contains the prices in force with their start', async () => {
  const since = async (month: string) => (await statement(month)).prices.map((book) => book.since);
  expect(await since('2025-12')).toEqual([null]);
  expect(await since('2026-01')).toEqual(['2026-01-31T23:59:00.000Z']);
  expect(await since('2026-02')).toEqual(['2026-02-01T00:00:00.000Z']);
  const { prices } = await statement('2026-03');
  expect(prices[0]?.data.find(({ model }) => model === 'imgmodel-a-2')?.unit_price_usd).toBe('0.06');
});

it('has the same content as CSV', async () => {
  const { closing, by_type, head_hash, head_seq, entry_count } = await statement('2026-02');
  const lines = parseCsv(await studio.callCsv('export_statement', { query: { month: '2026-02' } }));
  const of = (section: string, name: string) =>
    lines.find((line) => line['section'] === section && line['name'] === name);
  expect(of('closing', 'available')?.['amount_usd']).toBe(closing?.available_usd);
  for (const { type, amount_usd, count } of by_type) {
    expect(of('entries', type)).toMatchObject({ amount_usd, count: String(count) });
  }
  expect(of('entries', 'all')?.['count']).toBe(String(entry_count));
  expect(of('entries', 'spent')).toMatchObject({ amount_usd: '0.91', count: '3' });
  expect(of('entries', 'head')).toMatchObject({ count: '', seq: String(head_seq), note: head_hash });
  expect(of('price', 'video.create vidmodel-c-2')?.['amount_usd']).toBe('0.115');
});

it('explains its charges with what changes a price, and leaves out a minimum of zero', async () => {
  const prices = PRICES.map((row) =>
    row.model === 'vidmodel-c-2' && row.task === 'video.create'
      ? { ...row, minimum_micro_usd: 0n, multipliers: { resolution: { '480p': 500_000n, '4K': 2_000_000n } } }
      : row,
  );
  await recordPrices({ ...service.get().deps, offering: fixedOffering({ engines: [], prices }) });
  const since = clock.now().toISOString();
  const query = { month: since.slice(0, 7) };
  const csv = await studio.callCsv('export_statement', { query });
  const note = `per second (resolution: 4K × 2, 480p × 0.5), since ${since}`;
  expect(csv).toContain(`"price","video.create vidmodel-c-2",0.0575,,,"${note}"`);
  expect(csv).not.toMatch(/at least 0\.00(?!\d)/);
});

it('reprices charges and reports the ones that are not possible', async () => {
  const period = { from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z' };
  const ask = async (body: Record<string, unknown>) =>
    (await studio.call('reprice_spending', { body: { ...period, ...body } })).body;
  expect(await ask({ task: 'video.create', change: { model: 'vidmodel-c-2-mini' } })).toMatchObject({
    count: 2,
    real_usd: '0.82',
    repriced_count: 2,
    repriced_real_usd: '0.82',
    repriced_usd: '0.427826',
    difference_usd: '-0.392174',
    basis: 'exact',
    not_possible: { count: 0, reasons: [] },
  });
  expect(await ask({ task: 'video.create', change: { input: { duration_seconds: 12 } } })).toMatchObject({
    repriced_usd: '1.18',
  });
  // Refunds count on both sides.
  expect(await ask({ task: 'video.create', change: {} })).toMatchObject({ real_usd: '0.82', difference_usd: '0.00' });
  expect(await ask({ task: 'video.create', model: 'vidmodel-c-2.5', change: {} })).toMatchObject({ count: 0 });
  expect(await ask({ task: 'image.create', change: { input: { aspect_ratio: 'round' } } })).toMatchObject({
    repriced_count: 0,
    repriced_usd: '0.00',
    not_possible: { count: 1, real_usd: '0.09', reasons: [{ count: 1 }] },
  });
  const wrong = { ...period, task: 'image.create', change: { model: 'lipsync-v3' } };
  expect((await studio.callError('reprice_spending', { body: wrong })).status).toBe(400);
  const input = { query: 'x'.repeat(10_000) };
  const long = await studio.callError('reprice_spending', { body: { ...wrong, change: { input } } });
  expect([long.status, long.error.details?.[0]?.path]).toEqual([422, 'change.input']);
});
