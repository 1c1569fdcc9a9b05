import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { queryKeys } from '#web/api/queries/query-keys.ts';
import { usualSeconds } from './usual-durations.ts';

const started = '2026-11-20T10:00:00.000Z';
const generation = (id: string, seconds: number, change: Partial<Generation> = {}) =>
  ({
    id,
    object: 'generation',
    task: 'image.create',
    model: 'imgmodel-a-2',
    status: 'succeeded',
    output: { assets: [], data: null },
    started_at: started,
    completed_at: new Date(Date.parse(started) + seconds * 1000).toISOString(),
    ...change,
  }) as Generation;

function clientWith(details: readonly Generation[], rows: readonly Generation[]): QueryClient {
  const client = new QueryClient();
  for (const each of details) client.setQueryData(queryKeys.generations.detail(each.id), each);
  client.setQueryData(queryKeys.generations.list({}), { pages: [{ data: rows }], pageParams: [null] });
  return client;
}

describe('usualSeconds', () => {
  it('is the median of loaded generations of the model, each counted once', () => {
    const slow = generation('gen_3', 60);
    const client = clientWith([generation('gen_1', 8), slow], [generation('gen_2', 12), slow]);
    expect(usualSeconds(client, 'image.create', 'imgmodel-a-2', false)).toBe(12);
    expect(usualSeconds(client, 'image.edit', 'imgmodel-a-2', false)).toBeNull();
  });

  it('keeps previews, failures and single samples apart', () => {
    const preview = { output: { assets: [], data: { engine: 'preview' } } };
    const client = clientWith(
      [generation('gen_1', 8), generation('gen_2', 9, { status: 'failed' })],
      [generation('gen_3', 1, preview), generation('gen_4', 3, preview)],
    );
    expect(usualSeconds(client, 'image.create', 'imgmodel-a-2', false)).toBeNull();
    expect(usualSeconds(client, 'image.create', 'imgmodel-a-2', true)).toBe(3);
  });
});
