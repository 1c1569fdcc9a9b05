import { expect, it } from 'vitest';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { describeRunCost } from './run-cost.tsx';

type Basis = NonNullable<WorkflowRun['estimate']>['basis'];
const words = (status: WorkflowRun['status'], paid: string, amount_usd: string, basis: Basis) =>
  describeRunCost({
    status,
    usage: { amount_usd: paid, line_items: [] },
    estimate: { amount_usd, minimum_usd: amount_usd, maximum_usd: amount_usd, basis },
  });

it('compares the cost with the estimate', () => {
  expect(words('running', '0.04', '0.22', 'exact')).toBe('So far. Estimated $0.22.');
  expect(words('running', '0.04', '0.23', 'upper_bound')).toBe('So far. Estimated at most $0.23.');
  expect(words('succeeded', '0.22', '0.22', 'exact')).toBe('As estimated.');
  expect(words('succeeded', '0.15', '0.23', 'upper_bound')).toBe('$0.08 below the maximum estimate.');
  expect(words('succeeded', '0.50', '0.30', 'lower_bound')).toBe('$0.20 above the minimum estimate.');
  expect(words('failed', '0.04', '0.22', 'exact')).toMatch(/^\$0\.18 below the estimate/);
  expect(describeRunCost({ status: 'failed', usage: { amount_usd: '0.00', line_items: [] } })).toBeNull();
});
