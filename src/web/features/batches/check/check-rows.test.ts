import { describe, expect, it } from 'vitest';
import type { RowResult } from '../rows/build-orders.ts';
import { checkRows, countWithinLimit } from './check-rows.ts';
import { type OrderEstimate, splitIntoChunks } from './estimate-orders.ts';

const row = (at: number) => ({ id: String(at), number: at + 1, cells: ['A kite'] });
const orderOf = (at: number): RowResult => ({
  row: row(at),
  state: 'order',
  order: { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: `A kite ${at}` } },
});
const priced = (amount_usd: string, basis: OrderEstimate['basis'] = 'exact'): OrderEstimate => ({
  amount_usd,
  basis,
  error: null,
});

describe('a dry run', () => {
  it('adds up what is ready and counts the rest', () => {
    const results: RowResult[] = [
      orderOf(0),
      orderOf(1),
      { row: row(2), state: 'problem', problems: [{ target: 'seconds', message: '“x” is not a number.' }] },
      { row: row(3), state: 'pending' },
      orderOf(4),
    ];
    const estimates = new Map([
      ['a', priced('0.03')],
      ['b', priced('0.004745', 'upper_bound')],
    ]);
    const check = checkRows(results, ['a', 'b', undefined, undefined, 'not yet priced'], estimates);
    expect(check).toMatchObject({ amount_usd: '0.034745', basis: 'upper_bound', problem_count: 1, checkingCount: 2 });
    expect(check.ready).toHaveLength(2);
  });

  it('counts what starts before a limit', () => {
    const results = [0, 1, 2].map(orderOf);
    const { rows } = checkRows(results, ['a', 'a', 'a'], new Map([['a', priced('0.03')]]));
    expect(['0.02', '0.06', '0.08', '0.09', null].map((limit) => countWithinLimit(rows, limit))).toEqual([
      0,
      2,
      2,
      null,
      null,
    ]);
  });

  it('names the field of what the service rejects', () => {
    const error = {
      code: 'invalid_request',
      message: 'The input is not valid.',
      details: [{ path: 'input.images.0.url', message: 'The URL must start with https://.' }],
    };
    const estimates = new Map([['a', { amount_usd: null, basis: null, error }]]);
    expect(checkRows([orderOf(0)], ['a'], estimates).rows).toMatchObject([
      { state: 'problem', problems: [{ target: 'images', message: 'The URL must start with https://.' }] },
    ]);
  });

  it('sends long lists in parts', () => {
    expect(splitIntoChunks(Array.from({ length: 450 }, () => '{}')).map(({ length }) => length)).toEqual([
      200, 200, 50,
    ]);
    expect(splitIntoChunks(['x'.repeat(300_000), 'x'.repeat(300_000), 'x'])).toHaveLength(2);
  });
});
