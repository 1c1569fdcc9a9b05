import { describe, expect, it } from 'vitest';
import type { Provider } from '#contract/resources/provider.ts';
import { canRunFirst, describeOtherRunner, groupByRunner } from './model-runners.ts';

const PEAR = { task: 'image.create', model: 'imgmodel-a-2' } as const;
const PLUM = { task: 'image.create', model: 'imgmodel-b-2' } as const;

const provider = (
  id: string,
  runners: readonly [typeof PEAR | typeof PLUM, string | null][],
  changes: Partial<Provider> = {},
): Provider => ({
  id,
  object: 'provider',
  provider: 'openai',
  name: `Provider ${id}`,
  address: '',
  source: 'dashboard',
  state: 'active',
  paused_reason: null,
  key_last_four: null,
  models: runners.map(([pair, runs_on]) => ({
    ...pair,
    provider_model: null,
    markup_percent: null,
    is_fallback: changes.state !== 'paused' && runs_on !== id,
    runs_on,
    price_usd: null,
    cost_usd: null,
  })),
  visible_watermark: null,
  text_model: null,
  billing: null,
  running_jobs: 0,
  health: null,
  created_at: null,
  updated_at: null,
  ...changes,
});

const file = provider('file:own', [[PLUM, 'file:own']], { source: 'file' });
const first = provider('one', [[PEAR, 'one']]);
const second = provider('two', [
  [PEAR, 'one'],
  [PLUM, 'file:own'],
]);
const all = [file, first, second];

describe('the models of a connection', () => {
  it('are split by the provider that runs them', () => {
    expect(groupByRunner(second, all)).toMatchObject([
      { runner: first, models: [PEAR] },
      { runner: file, models: [PLUM] },
    ]);
    const paused = provider('three', [[PEAR, null]], { state: 'paused' });
    expect(groupByRunner(paused, [paused])).toMatchObject([{ runner: null, models: [PEAR] }]);
  });

  it('can come first unless only the file runs them', () => {
    expect(canRunFirst(second, all)).toBe(true);
    expect(canRunFirst(first, all)).toBe(false);
    const belowFile = provider('four', [[PLUM, 'file:own']]);
    expect(canRunFirst(belowFile, [file, belowFile])).toBe(false);
  });
});

describe('a model that another provider runs', () => {
  const describeFor = (connectedId?: string) => describeOtherRunner({ ...PEAR, runs_on: 'one' }, all, connectedId);

  it('becomes, or is, the fallback of a later connection', () => {
    expect(describeFor()).toBe('Runs on Provider one; this becomes the fallback');
    expect(describeFor('two')).toBe('Runs on Provider one; this is the fallback');
    expect(describeFor('one')).toBeNull();
  });

  it('moves to an earlier connection that selects it', () => {
    const earlier = provider('zero', []);
    expect(describeOtherRunner({ ...PEAR, runs_on: 'one' }, [earlier, first], 'zero')).toBe(
      'Runs on Provider one; this takes over',
    );
  });
});
