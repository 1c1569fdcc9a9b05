import { describe, expect, it } from 'vitest';
import { nameFinding, type Pair, roundingLimit } from './name-finding.ts';

const LINES = {
  count: 1,
  billNano: 40_000_000n,
  quantityNano: null,
  category: 'usage',
  month: '2026-11',
  hasRequest: true,
} as const;
const JOBS = {
  count: 1,
  costNano: 40_000_000n,
  quantityNano: null,
  status: 'succeeded',
  isTimeout: false,
  hasListPrice: true,
  billedIn: null,
} as const;
const ELSEWHERE = { month: '2026-10', isSameProvider: true, costNano: 40_000_000n, isCarried: true } as const;
const LIMIT = 5_000_000n;

const pair = (changes: {
  lines?: Partial<NonNullable<Pair['lines']>> | null;
  jobs?: Partial<NonNullable<Pair['jobs']>> | null;
  elsewhere?: Partial<NonNullable<Pair['elsewhere']>>;
  bookedNano?: bigint;
}): Pair => ({
  lines: changes.lines === null ? null : { ...LINES, ...changes.lines },
  jobs: changes.jobs === null ? null : { ...JOBS, ...changes.jobs },
  elsewhere: changes.elsewhere ? { ...ELSEWHERE, ...changes.elsewhere } : null,
  bookedNano: changes.bookedNano ?? 0n,
});
const name = (changes: Parameters<typeof pair>[0], closed: string[] = []) => {
  const { kind, detail, dueNano, differenceNano, isCorrection, actions } = nameFinding(
    pair(changes),
    LIMIT,
    new Set(closed),
  );
  const known = Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null));
  return { kind, ...known, due: dueNano, difference: differenceNano, isCorrection, actions };
};
const more = (nano: bigint) => ({ billNano: 40_000_000n + nano });

describe('a finding is named', () => {
  it.each([
    ['the same amount', {}, { kind: 'equal', due: 0n, actions: [] }],
    ['rounding', { lines: more(4_999_999n) }, { kind: 'rounded', due: 0n, difference: 4_999_999n }],
    [
      'another unit price',
      { lines: { ...more(8_000_000n), quantityNano: 2_000_000_000n }, jobs: { quantityNano: 2_000_000_000n } },
      { kind: 'price_differs', cause: 'unit_price', ours: '0.02', theirs: '0.024', due: 8_000_000n },
    ],
    ['a discount', { lines: { billNano: 30_000_000n } }, { cause: 'discount', percent: 25, due: -10_000_000n }],
    [
      'another quantity',
      { lines: { ...more(20_000_000n), quantityNano: 3_000_000_000n }, jobs: { quantityNano: 2_000_000_000n } },
      { cause: 'quantity', ours: '2.00', theirs: '3.00', actions: ['book_cost'] },
    ],
    ['two bills of one', { lines: { billNano: 80_000_000n, count: 2 } }, { cause: 'repeated', times: 2 }],
    ['another total', { lines: more(9_000_001n) }, { cause: 'total', actions: ['use_new_cost', 'book_cost'] }],
    ['a reported cost', { lines: more(9_000_001n), jobs: { hasListPrice: false } }, { actions: ['book_cost'] }],
    ['a cost that was unknown', { jobs: { costNano: null } }, { cause: 'unknown_cost', due: 40_000_000n }],
    [
      'failed work',
      { jobs: { status: 'failed', costNano: null } },
      { kind: 'billed_not_delivered', cause: 'failed', due: 40_000_000n },
    ],
    ['a timeout', { jobs: { status: 'failed', isTimeout: true, costNano: null } }, { cause: 'timed_out' }],
    ['failed work with the expected bill', { jobs: { status: 'failed' } }, { kind: 'equal' }],
    ['an unknown request', { jobs: null }, { kind: 'theirs_only', cause: 'unknown_request', due: 40_000_000n }],
    ['a tax', { jobs: null, lines: { category: 'tax', hasRequest: false } }, { kind: 'theirs_only', cause: 'tax' }],
    ['no bill', { lines: null }, { kind: 'ours_only', due: -40_000_000n, actions: ['write_off'] }],
    [
      'a bill of a later month',
      { lines: null, jobs: { billedIn: '2026-12' } },
      { kind: 'billed_later', cause: 'other_month', month: '2026-12', due: 0n, difference: -40_000_000n },
    ],
    ['a job of an earlier month', { jobs: null, elsewhere: {} }, { kind: 'billed_later', month: '2026-10', due: 0n }],
    [
      'its other price',
      { jobs: null, elsewhere: { costNano: 10_000_000n } },
      { kind: 'billed_later', due: 30_000_000n },
    ],
    [
      'a second bill of it',
      { jobs: null, elsewhere: { isCarried: false } },
      { kind: 'billed_later', due: 40_000_000n },
    ],
    ['unfinished work', { jobs: null, elsewhere: { month: null } }, { cause: 'unfinished', due: 0n }],
    ['another connection', { jobs: null, elsewhere: { isSameProvider: false } }, { kind: 'theirs_only', due: 0n }],
    [
      'what was booked',
      { lines: more(9_000_001n), bookedNano: 9_000_001n },
      { kind: 'price_differs', due: 0n, actions: [] },
    ],
    [
      'a later bill of what was written off',
      { bookedNano: -40_000_000n },
      { kind: 'equal', due: 40_000_000n, actions: ['book_cost'] },
    ],
    [
      'what has lost its bill',
      { lines: null, jobs: null, bookedNano: 5n },
      { due: -5n, difference: 0n, actions: ['book_cost'] },
    ],
  ] as const)('for %s', (_title, changes, expected) => {
    expect(name(changes)).toMatchObject(expected);
  });

  it('as a correction if its month is closed', () => {
    expect(name({ lines: { month: '2026-10' } }, ['2026-10']).isCorrection).toBe(true);
    expect(name({ jobs: null, elsewhere: {} }, ['2026-10']).isCorrection).toBe(true);
    expect(name({ jobs: null, elsewhere: {} }, ['2026-09']).isCorrection).toBe(false);
  });

  it('as rounding only below half a cent together', () => {
    expect(roundingLimit({ belowHalfCentNano: 4_999_999n, belowMicroNano: 500n })).toBe(5_000_000n);
    expect(roundingLimit({ belowHalfCentNano: 5_000_000n, belowMicroNano: -4_999_999n })).toBe(1_000n);
    expect(roundingLimit({ belowHalfCentNano: 5_000_000n, belowMicroNano: -5_000_000n })).toBe(0n);
  });
});
