import { expect, it } from 'vitest';
import { type StatementPrice, priceChanges } from './price-changes.ts';

const row = (model: StatementPrice['model'], unit_price_usd: string, minimum_usd = unit_price_usd): StatementPrice => ({
  task: 'image.create',
  model,
  unit: 'image',
  unit_price_usd,
  minimum_usd,
  note: null,
});
const book = (...data: StatementPrice[]) => ({ since: null, data });

it('lists changed, new and removed prices only', () => {
  const [a, b, c] = [row('imgmodel-a-2', '0.03'), row('imgmodel-b-2', '0.02'), row('imgmodel-b-pro', '0.09')];
  const raised = row('imgmodel-a-2', '0.06');
  expect(priceChanges(book(a, b), book(c, raised))).toEqual([
    { before: null, after: c },
    { before: a, after: raised },
    { before: b, after: null },
  ]);
  expect(priceChanges(book(a, b), book(b, a))).toEqual([]);
});

it('reports a changed minimum', () => {
  expect(priceChanges(book(row(null, '0.03')), book(row(null, '0.03', '0.10')))).toHaveLength(1);
});
