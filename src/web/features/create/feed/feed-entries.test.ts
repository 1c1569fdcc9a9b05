import { beforeEach, expect, it } from 'vitest';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import { signOut } from '#web/api/session/session.ts';
import { areVariations, buildFeed } from './feed-entries.ts';
import { layOutFeed } from './feed-layout.ts';
import { completeOrders, type PendingOrder } from '#web/features/create/orders/pending-orders.ts';

// Other tests may have left what this tab stores.
beforeEach(() => signOut());

const generation = (id: string, assets: readonly Partial<Asset>[] = []): Generation =>
  ({
    id,
    task: 'image.create',
    model: 'imgmodel-a-2',
    input: { prompt: 'a pear' },
    created_at: '2026-11-23T12:00:00.000Z',
    output: { assets, data: null },
  }) as unknown as Generation;
const BODY = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a pear' } };
const order = (id: string, change: Partial<PendingOrder> = {}): PendingOrder => ({
  id,
  idempotencyKey: id,
  body: BODY,
  startedAtMs: 1,
  problem: null,
  ...change,
});
const ids = (...feed: Parameters<typeof buildFeed>) => buildFeed(...feed).map(({ id }) => id);

it('shows orders first that are not accepted or failed to start', () => {
  const problem = { code: 'network', message: 'No response.', isUnsure: true };
  const orders = [order('failed', { problem }), order('sending')];
  expect(ids([generation('gen_8'), generation('gen_7')], orders)).toEqual(['sending', 'failed', 'gen_8', 'gen_7']);
});

it('shows what was started side by side as one entry, accepted or not', () => {
  const orders = ['a', 'b', 'c'].map((id) => order(id, { group: 'group' }));
  completeOrders(orders.slice(0, 2), ['gen_16', 'gen_17']);
  const [group, ...rest] = buildFeed(
    [generation('gen_17'), generation('gen_16'), generation('gen_15')],
    orders.slice(2),
  );
  expect(group?.items.map(({ id }) => id)).toEqual(['gen_16', 'gen_17', 'c']);
  expect(rest.map(({ id }) => id)).toEqual(['gen_15']);
});

it('shows a small batch as one entry, and the results of a large one by themselves', () => {
  const batch = (batch_id: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...generation(`gen_${batch_id}_${9 - at}`), batch_id }));
  const entries = buildFeed([...batch('b', 4), ...batch('a', 9)], []);
  expect(entries.map(({ items }) => items.length)).toEqual([4, ...Array.from({ length: 9 }, () => 1)]);
  expect(entries[0]?.items[0]?.id).toBe('gen_b_6');
});

it('never shows different prompts, tasks or tools as one entry', () => {
  const orderAt = (at: number, change: Partial<Generation>) => ({
    ...generation(`gen_${9 - at}`),
    batch_id: 'bat_1',
    ...change,
  });
  const entries = buildFeed(
    [
      orderAt(0, { input: { prompt: 'a plum' } }),
      orderAt(1, { model: 'imgmodel-b-2' }),
      orderAt(2, {}),
      orderAt(3, { task: 'image.edit' }),
      orderAt(4, { task: 'video.trim', input: { video: { url: 'a' } } }),
      orderAt(5, { task: 'video.trim', input: { video: { url: 'b' } } }),
    ],
    [],
  );
  expect(entries.map(({ items }) => items.map(({ id }) => id))).toEqual([
    ['gen_9'],
    ['gen_7', 'gen_8'],
    ['gen_6'],
    ['gen_5'],
    ['gen_4'],
  ]);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
});

it('shows prompts by themselves that are too long for a list', () => {
  const long = { ...generation('gen_1'), batch_id: 'bat_1', input_truncated: true as const };
  expect(buildFeed([{ ...long, id: 'gen_2' }, long], [])).toHaveLength(2);
});

it('hides generations whose files are all deleted', () => {
  const removed_at = '2026-11-23T13:00:00.000Z';
  const list = [
    generation('gen_8', [{ removed_at }]),
    generation('gen_7', [{ removed_at }, { removed_at: null }]),
    generation('gen_6'),
  ];
  expect(ids(list, [])).toEqual(['gen_7', 'gen_6']);
});

it('takes a batch of equal orders for variations, and one with different orders for a comparison', () => {
  const inBatch = (change: Partial<Generation>) => ({ ...generation('gen_1'), batch_id: 'bat_1', ...change });
  const seeded = inBatch({ id: 'gen_2', input: { prompt: 'a pear', seed: 3 } });
  expect(areVariations([inBatch({}), seeded])).toBe(true);
  expect(areVariations([inBatch({}), inBatch({ id: 'gen_2', input: { prompt: 'a plum' } })])).toBe(false);
  expect(areVariations([inBatch({ batch_id: null }), seeded])).toBe(false);
  expect(areVariations([inBatch({}), order('retry', { group: 'bat_1', retryOf: 'gen_1' })])).toBe(true);
  expect(
    areVariations([order('a', { group: 'g', isTogether: true }), order('b', { group: 'g', isTogether: true })]),
  ).toBe(true);
});

it('begins a new row and a heading with each day', () => {
  const now = new Date(2026, 10, 23, 12);
  const at = (days: number) => ({ createdAtMs: new Date(2026, 10, 23 - days, 9).getTime() });
  const rows = layOutFeed([at(0), at(0), at(0), at(0), at(1), at(7), at(400)], {
    widthPx: 540,
    remPx: 16,
    nowMs: now.getTime(),
  });
  expect(rows.map(({ first, count, heading }) => [first, count, heading])).toEqual([
    [0, 3, 'Today'],
    [3, 1, null],
    [4, 1, 'Yesterday'],
    [5, 1, 'Monday, Nov 16'],
    [6, 1, 'Oct 19, 2025'],
  ]);
  for (const [index, row] of rows.entries())
    expect(rows[index + 1]?.topPx ?? Infinity).toBeGreaterThan(row.topPx + row.heightPx);
});
