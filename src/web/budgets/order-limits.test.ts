import { describe, expect, it } from 'vitest';
import type { Budget } from '#contract/resources/budget.ts';
import { findTightestBudget, isAbove } from './order-limits.ts';

const budget = (scope: string, left_usd: string): Budget => ({
  id: scope,
  object: 'budget',
  key: null,
  scope,
  scope_name: null,
  is_scope_removed: false,
  interval: 'month',
  limit_usd: '10',
  extra_usd: '0.00',
  warn_at_percent: 80,
  contact: null,
  month: '2026-06',
  interval_start: '2026-06-01',
  resets_at: '2026-07-01T00:00:00.000Z',
  spent_usd: null,
  reserved_usd: null,
  left_usd,
  state: 'ok',
  updated_at: '2026-06-01T00:00:00.000Z',
  updated_by: null,
});

const order = { key_id: 'key_1', person_id: 'per_1', models: ['vidmodel-c-2'], tags: { client: ' Acme = Co ' } };

describe('findTightestBudget', () => {
  it.each(['organization', 'key:key_1', 'person:per_1', 'model:vidmodel-c-2', 'tag:client=Acme = Co'])(
    'counts an order towards %s',
    (scope) => expect(findTightestBudget([budget(scope, '1')], order)?.scope).toBe(scope),
  );

  it.each(['key:key_2', 'person:per_2', 'model:imgmodel-a-2', 'tag:client=Other', 'tag:project=Acme = Co'])(
    'does not count it towards %s',
    (scope) => expect(findTightestBudget([budget(scope, '1')], order)).toBeNull(),
  );

  it('returns the one with the least left, compared as amounts', () => {
    const budgets = [budget('organization', '10.00'), budget('person:per_1', '9.999999'), budget('key:key_1', '90')];
    expect(findTightestBudget(budgets, order)?.scope).toBe('person:per_1');
  });

  it('counts nobody’s key or person while they are unknown', () => {
    const unknown = { ...order, key_id: undefined, person_id: undefined };
    expect(findTightestBudget([budget('person:per_1', '1'), budget('key:key_1', '1')], unknown)).toBeNull();
  });
});

describe('isAbove', () => {
  it('is false for exactly what is left', () => {
    expect(isAbove('0.03', '0.030000')).toBe(false);
    expect(isAbove('0.030001', '0.03')).toBe(true);
  });
});
