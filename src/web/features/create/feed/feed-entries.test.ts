import { expect, it } from 'vitest';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import { buildFeed, toRuns } from './feed-entries.ts';
import { layOutFeed } from './feed-layout.ts';
import type { Run } from '#web/features/create/runs/runs.ts';

const generation = (id: string, assets: readonly Partial<Asset>[] = []): Generation =>
  ({
    id,
    task: 'image.create',
    model: 'imgmodel-a-2',
    input: { prompt: 'a pear' },
    created_at: '2026-11-23T12:00:00.000Z',
    output: { assets, data: null },
  }) as unknown as Generation;
const run = (id: string, change: Partial<Run> = {}): Run => ({
  id,
  order: { body: { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a pear' } }, idempotency_key: id },
  startedAtMs: 1,
  generation_id: null,
  problem: null,
  ...change,
});
const ids = (...feed: Parameters<typeof buildFeed>) => buildFeed(...feed).map(({ id }) => id);

it('shows runs first that are not accepted, failed to start, or are not in the list yet', () => {
  const problem = { code: 'network', message: 'No response.', unsure: true };
  const runs = [run('failed', { problem }), run('sending'), run('new', { generation_id: 'gen_9' })];
  expect(ids([generation('gen_8'), generation('gen_7')], runs)).toEqual(['new', 'sending', 'failed', 'gen_8', 'gen_7']);
});

it('shows a run once, in its place in the list', () => {
  const runs = [run('listed', { generation_id: 'gen_7' }), run('further_down', { generation_id: 'gen_1' })];
  const [, second, ...rest] = buildFeed([generation('gen_8'), generation('gen_7')], runs);
  expect([second?.id, second?.items[0]?.run?.id, rest]).toEqual(['gen_7', 'listed', []]);
});

it('shows runs that were started side by side as one entry, in their order', () => {
  const runs = ['gen_6', 'gen_7', null].map((generation_id, at) => run(`run_${at}`, { generation_id, group: 'group' }));
  const [group, ...rest] = buildFeed([generation('gen_7'), generation('gen_6'), generation('gen_5')], runs);
  expect(group?.items.map((item) => item.run?.id)).toEqual(['run_0', 'run_1', 'run_2']);
  expect(rest.map(({ id }) => id)).toEqual(['gen_5']);
});

it('shows a small batch as one entry, and the results of a large one by themselves', () => {
  const batch = (batch_id: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...generation(`gen_${batch_id}_${9 - at}`), batch_id }));
  const entries = buildFeed([...batch('b', 4), ...batch('a', 9)], []);
  expect(entries.map(({ items }) => items.length)).toEqual([4, ...Array.from({ length: 9 }, () => 1)]);
  expect(entries[0]?.items[0]?.generation?.id).toBe('gen_b_6');
});

it('never shows different prompts, tasks or tools as one entry', () => {
  const order = (at: number, change: Partial<Generation>) => ({
    ...generation(`gen_${9 - at}`),
    batch_id: 'bat_1',
    ...change,
  });
  const entries = buildFeed(
    [
      order(0, { input: { prompt: 'a plum' } }),
      order(1, { model: 'imgmodel-b-2' }),
      order(2, {}),
      order(3, { task: 'image.edit' }),
      order(4, { task: 'video.trim', input: { video: { url: 'a' } } }),
      order(5, { task: 'video.trim', input: { video: { url: 'b' } } }),
    ],
    [],
  );
  expect(entries.map(({ items }) => items.map((item) => item.generation?.id))).toEqual([
    ['gen_9'],
    ['gen_7', 'gen_8'],
    ['gen_6'],
    ['gen_5'],
    ['gen_4'],
  ]);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
});

it('shows prompts by themselves that are too long for a list', () => {
  const order = { ...generation('gen_1'), batch_id: 'bat_1', input_truncated: true as const };
  expect(buildFeed([{ ...order, id: 'gen_2' }, order], [])).toHaveLength(2);
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

it('makes up the run of a generation that was started elsewhere', () => {
  const items = [{ run: null, generation: generation('gen_7') }];
  expect(toRuns({ id: 'gen_7', items, created_at_ms: 0 })).toMatchObject([
    {
      id: 'gen_7',
      generation_id: 'gen_7',
      problem: null,
      order: { body: { task: 'image.create', input: { prompt: 'a pear' } } },
    },
  ]);
});

it('makes up variations of a batch of equal orders, and a comparison of one with different orders', () => {
  const inBatch = (change: Partial<Generation>) => ({ ...generation('gen_1'), batch_id: 'bat_1', ...change });
  const open = (...generations: Generation[]) =>
    toRuns({ id: 'bat_1', items: generations.map((each) => ({ run: null, generation: each })), created_at_ms: 0 }).map(
      ({ group, together, batch_id }) => [group, together, batch_id],
    );
  const seeded = inBatch({ id: 'gen_2', input: { prompt: 'a pear', seed: 3 } });
  expect(open(inBatch({}), seeded)).toEqual([
    ['bat_1', true, 'bat_1'],
    ['bat_1', true, 'bat_1'],
  ]);
  const plum = inBatch({ id: 'gen_2', input: { prompt: 'a plum' } });
  expect(open(inBatch({}), plum)[0]).toEqual(['bat_1', undefined, undefined]);
  expect(open(inBatch({ batch_id: null }), seeded)[0]).toEqual(['bat_1', undefined, undefined]);
});

it('begins a new row and a heading with each day', () => {
  const now = new Date(2026, 10, 23, 12);
  const at = (days: number) => ({ created_at_ms: new Date(2026, 10, 23 - days, 9).getTime() });
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
