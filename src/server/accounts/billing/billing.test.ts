import { beforeAll, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleFailed, settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';

const clock = createTestClock(new Date('2026-03-30T22:00:00.000Z'));
const service = useSharedService(() => ({ engines: [createScriptedEngine()], clock }));
let studio: TestOrganization;

async function make(model: string | null, input: Record<string, unknown>, ends: 'succeeded' | 'failed' | null) {
  const task = model === null ? 'social.search' : model.startsWith('img') ? 'image.create' : 'video.create';
  const { body } = await studio.call('create_generation', { body: { task, model, input } });
  const { deps } = service.get();
  const lease = ends && (await claimGeneration(deps, body.id));
  if (lease && ends === 'succeeded') await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} });
  if (lease && ends === 'failed') await settleFailed(deps, lease, { code: 'x', message: 'No.', retryable: true });
  return body.id;
}
const ledger = async (query: Record<string, string | number> = {}) =>
  (await studio.call('list_ledger', { query })).body;
const shown = ({ type, amount_usd, available_after_usd, balance_after_usd }: LedgerEntry) =>
  [type, amount_usd, available_after_usd, balance_after_usd].join(' ');

let video: string;
beforeAll(async () => {
  studio = await service.createOrganization('2');
  await make('imgmodel-a-2.5-flare', { prompt: 'x' }, 'succeeded');
  clock.advance(3 * 3_600_000);
  video = await make('vidmodel-c-2', { prompt: 'xyz', duration_seconds: 10 }, 'succeeded');
  clock.advance(1_000);
  await make('imgmodel-a-2', { prompt: 'x' }, 'failed');
  clock.advance(24 * 3_600_000);
  await make('imgmodel-a-2', { prompt: 'x' }, 'succeeded');
  await make('imgmodel-a-2', { prompt: 'x' }, null);
});

describe('the ledger', () => {
  it('states the balances after each entry, to the micro-dollar', async () => {
    const { data } = await ledger();
    expect(data.map(shown).toReversed().slice(2)).toEqual([
      'RESERVE -0.004745 1.995255 2.00',
      'RELEASE 0.004745 2.00 2.00',
      'SETTLE -0.004745 1.995255 1.995255',
      'RESERVE -0.575 1.420255 1.995255',
      'RELEASE 0.575 1.995255 1.995255',
      'SETTLE -0.575 1.420255 1.420255',
      'RESERVE -0.03 1.390255 1.420255',
      'RELEASE 0.03 1.420255 1.420255',
      'RESERVE -0.03 1.390255 1.420255',
      'RELEASE 0.03 1.420255 1.420255',
      'SETTLE -0.03 1.390255 1.390255',
      'RESERVE -0.03 1.360255 1.390255',
    ]);
    const [newest] = data;
    expect(newest).toMatchObject({ object: 'ledger_entry', description: 'Create an image · ImgModel A 2' });
    expect(newest?.created_by?.name).toBe('Key');
  });

  it('is paged without gaps or duplicates', async () => {
    const all = (await ledger({ limit: 100 })).data.map(({ id }) => id);
    const listed: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await ledger({ limit: 5, ...(cursor ? { cursor } : {}) });
      listed.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(listed).toEqual(all);
    expect(all).toHaveLength(14);
  });

  it('filters by type, generation and time', async () => {
    expect((await ledger({ type: 'SETTLE' })).data).toHaveLength(3);
    expect((await ledger({ generation_id: video })).data.map(({ type }) => type)).toEqual([
      'SETTLE',
      'RELEASE',
      'RESERVE',
    ]);
    expect((await ledger({ workflow_run_id: `run_${'0'.repeat(26)}` })).data).toEqual([]);
    expect((await ledger({ created_after: '2026-03-31T01:00:00Z' })).data).toHaveLength(9);
    expect((await ledger({ created_before: '2026-03-31T03:00:00+02:00' })).data).toHaveLength(5);
    expect((await ledger({ type: 'SETTLE', created_after: '2026-04-01T00:00:00Z' })).data).toHaveLength(1);
  });

  it('returns 400 for a cursor that was never issued and 422 for an invalid query', async () => {
    expect((await studio.callError('list_ledger', { query: { cursor: 'AAAA.BBBB' } })).status).toBe(400);
    const wrong: Record<string, string | number>[] = [{ limit: 101 }, { type: 'GIFT' }, { generation_id: 'a b' }];
    for (const query of wrong) {
      expect((await studio.callError('list_ledger', { query })).status).toBe(422);
    }
  });
});

describe('the summary', () => {
  const summary = async (query: Record<string, string> = {}) =>
    (await studio.call('get_billing_summary', { query })).body;

  it('sums funds and spending, months and days in UTC', async () => {
    expect(await summary()).toMatchObject({
      available_usd: '1.360255',
      reserved_usd: '0.03',
      balance_usd: '1.390255',
      spent_this_month_usd: '0.03',
      spent_total_usd: '0.609745',
      by_day: [
        { date: '2026-03-30', amount_usd: '0.004745', count: 1 },
        { date: '2026-03-31', amount_usd: '0.575', count: 1 },
        { date: '2026-04-01', amount_usd: '0.03', count: 1 },
      ],
      by_task: [
        { task: 'video.create', amount_usd: '0.575', count: 1 },
        { task: 'image.create', amount_usd: '0.034745', count: 2 },
      ],
      by_model: [
        { model: 'vidmodel-c-2', amount_usd: '0.575', count: 1 },
        { model: 'imgmodel-a-2', amount_usd: '0.03', count: 1 },
        { model: 'imgmodel-a-2.5-flare', amount_usd: '0.004745', count: 1 },
      ],
      by_key: [{ name: 'Key', amount_usd: '0.609745', count: 3 }],
    });
  });

  it('applies from and to to the groups only', async () => {
    const bounded = await summary({ from: '2026-03-31T00:00:00Z', to: '2026-04-01T00:00:00Z' });
    expect(bounded).toMatchObject({ spent_total_usd: '0.609745', by_day: [{ date: '2026-03-31', count: 1 }] });
    expect(bounded.by_task).toHaveLength(1);
    expect((await summary({ from: '2027-01-01T00:00:00Z' })).by_day).toEqual([]);
    expect((await studio.callError('get_billing_summary', { query: { from: 'yesterday' } })).status).toBe(422);
  });

  it('groups the last 30 days by default, while totals include everything', async () => {
    clock.advance(29 * 24 * 3_600_000);
    const later = await summary();
    expect(later.by_day.map(({ date }) => date)).toEqual(['2026-04-01']);
    expect(later).toMatchObject({ spent_this_month_usd: '0.03', spent_total_usd: '0.609745' });
    clock.advance(2 * 24 * 3_600_000);
    expect(await summary()).toMatchObject({ spent_this_month_usd: '0.00', spent_total_usd: '0.609745', by_day: [] });
  });

  it('is zero for a new organization', async () => {
    const fresh = await service.createOrganization('0');
    expect((await fresh.call('get_billing_summary')).body).toMatchObject({
      balance_usd: '0.00',
      spent_total_usd: '0.00',
      by_day: [],
      by_task: [],
      by_model: [],
      by_key: [],
    });
  });
});

describe('credit', () => {
  const credit = (amount_usd: string, description = 'Why') => ({ body: { amount_usd, description } });

  it('is added, or reduced by an adjustment', async () => {
    const other = await service.createOrganization('1');
    expect((await other.call('create_credit', credit('2.5'))).body).toMatchObject({
      type: 'ADMIN_CREDIT',
      amount_usd: '2.50',
      available_after_usd: '3.50',
      description: 'Why',
      created_by: { name: 'Key' },
    });
    expect((await other.call('create_credit', credit('-3.50'))).body).toMatchObject({
      type: 'ADJUSTMENT',
      available_after_usd: '0.00',
    });
  });

  it('returns 400 for zero and for more than is available', async () => {
    const other = await service.createOrganization('1');
    expect((await other.callError('create_credit', credit('0.00'))).status).toBe(400);
    const more = await other.callError('create_credit', credit('-1.000001'));
    expect(more).toMatchObject({ status: 400, error: { code: 'invalid_request' } });
    expect(more.error.message).toBe('This needs $1.000001, and $1.00 is available.');
  });

  it('returns 422 without an amount or a reason', async () => {
    for (const body of [credit('one'), credit('1.0000001'), credit('1', ' '), credit('1', 'x'.repeat(501))]) {
      expect((await studio.callError('create_credit', body)).status).toBe(422);
    }
  });

  it('returns 401 for a member key', async () => {
    const { callError, keys } = service.get();
    expect((await callError('create_credit', { ...credit('1'), key: keys.member })).status).toBe(401);
  });
});
