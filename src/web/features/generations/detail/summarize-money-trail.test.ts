import type { LedgerType } from '#contract/money/ledger.ts';
import { expect, it } from 'vitest';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { summarizeMoneyTrail } from './summarize-money-trail.ts';

const made = (status: Generation['status']) => ({ status }) as Generation;
const entry = (type: LedgerType, amount_usd: string) =>
  ({ id: type, type, amount_usd, created_at: '2026-02-01T00:00:00.000Z', description: 'Why' }) as LedgerEntry;
const started = [entry('RESERVE', '-0.68'), entry('RELEASE', '0.68')];

it('explains a charge below the estimate', () => {
  const { reason, paidMicroUsd } = summarizeMoneyTrail(made('succeeded'), [...started, entry('SETTLE', '-0.51')]);
  expect(paidMicroUsd).toBe(510_000n);
  expect(reason).toBe('$0.17 below the estimate: the maximum was reserved, and only actual usage was charged.');
});

it('explains why nothing was charged', () => {
  expect(summarizeMoneyTrail(made('failed'), started)).toMatchObject({
    paidMicroUsd: 0n,
    reason: 'Failed, so the full reservation was released.',
  });
});

it('subtracts refunds from the amount paid', () => {
  const charged = [...started, entry('SETTLE', '-0.68'), entry('REFUND', '0.08')];
  expect(summarizeMoneyTrail(made('succeeded'), charged)).toMatchObject({
    paidMicroUsd: 600_000n,
    reason: 'Charged as estimated. $0.08 was refunded.',
  });
  const all = summarizeMoneyTrail(made('succeeded'), [...charged, entry('REFUND', '0.60')]);
  expect(all).toMatchObject({ paidMicroUsd: 0n, reason: 'The full charge was refunded.' });
});
