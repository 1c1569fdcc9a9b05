import { describe, expect, it } from 'vitest';
import { formatProviderCost } from './format-provider-cost.ts';

const settled = { amount_usd: '0.35', cost_usd: '0.21', cost_basis: null, billing_status: 'settled' } as const;

describe('formatProviderCost', () => {
  it.each([
    [settled, 'Charged $0.35, provider cost $0.21: margin $0.14.'],
    [{ ...settled, cost_usd: '0.4005' }, 'Charged $0.35, provider cost $0.4005: loss $0.0505.'],
    [{ ...settled, cost_usd: '0.35' }, 'Charged $0.35, provider cost $0.35: no margin.'],
    [{ ...settled, cost_usd: null }, 'The provider has not reported a cost.'],
    [{ ...settled, billing_status: 'reserved' } as const, 'Reserved $0.35, provider cost $0.21.'],
    [{ ...settled, billing_status: 'released' } as const, 'Nothing was charged, provider cost $0.21: loss $0.21.'],
    [
      { ...settled, cost_usd: '0.00', billing_status: 'refunded' } as const,
      'Nothing was charged, and the provider cost nothing.',
    ],
    [
      { ...settled, cost_usd: '0.00', cost_basis: 'list' } as const,
      'This provider has no price per result, so no cost is counted.',
    ],
  ])('describes %j as: %s', (money, sentence) => expect(formatProviderCost(money)).toBe(sentence));

  it('takes refunds off the margin', () => {
    expect(formatProviderCost(settled, '0.20')).toBe(
      'Charged $0.35 and refunded $0.20, provider cost $0.21: loss $0.06.',
    );
  });

  it.each([
    ['reported', 'The provider reported this cost.'],
    ['computed', 'The cost is computed from the usage that the provider reported.'],
    ['list', 'The cost is the provider’s list price for this request.'],
  ] as const)('says that a cost is %s', (cost_basis, sentence) =>
    expect(formatProviderCost({ ...settled, cost_basis })).toBe(
      `Charged $0.35, provider cost $0.21: margin $0.14. ${sentence}`,
    ),
  );
});
