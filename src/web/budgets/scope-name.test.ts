import { expect, it } from 'vitest';
import { formatBudgetScope } from './scope-name.ts';

it.each([
  ['organization', null, false, 'Everybody'],
  ['person:per_1', 'Kim', false, 'Kim'],
  ['person:per_1', 'Kim', true, 'Kim (removed)'],
  ['key:key_1', 'Laptop', true, 'Laptop (revoked)'],
  ['tag:client=Acme = Co', null, false, 'client: Acme = Co'],
] as const)('names the budget of %s, %s, removed: %s', (scope, scope_name, is_scope_removed, expected) => {
  expect(formatBudgetScope({ scope, scope_name, is_scope_removed })).toBe(expected);
});
