import { describe, expect, it } from 'vitest';
import { formatProviderCost } from './format-provider-cost.ts';

const settled = { amount_usd: '0.35', cost_usd: '0.21', billing_status: 'settled' } as const;

describe('formatProviderCost', () => {
  it.each([
    [settled, 'You charged $0.35, the provider $0.21: $0.14 more than it cost.'],
    [{ ...settled, cost_usd: '0.4005' }, 'You charged $0.35, the provider $0.4005: $0.0505 too little.'],
    [{ ...settled, cost_usd: '0.35' }, 'You charged $0.35, the provider $0.35: the same.'],
    [{ ...settled, cost_usd: null }, 'The provider has not said what it charges for this.'],
    [{ ...settled, billing_status: 'reserved' } as const, 'You have reserved $0.35, the provider charges $0.21.'],
    [{ ...settled, billing_status: 'released' } as const, 'You charged nothing, the provider $0.21: that is lost.'],
    [
      { ...settled, cost_usd: '0.00', billing_status: 'refunded' } as const,
      'Nothing was charged, here or by the provider.',
    ],
  ])('describes %j as: %s', (money, sentence) => expect(formatProviderCost(money)).toBe(sentence));
});
