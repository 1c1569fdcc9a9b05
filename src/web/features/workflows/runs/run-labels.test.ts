import { expect, it } from 'vitest';
import { formatChangedInputs, runSummary } from './run-labels.ts';

const input = { shots: 'A lighthouse at dusk', look_of_all: 'wet', count: 3 };

it('tells runs apart by what changed, else by the first text', () => {
  expect(runSummary({ input })).toBe('A lighthouse at dusk');
  expect(runSummary({ input, changed_inputs: ['look_of_all', 'count'] })).toBe('wet');
  expect(runSummary({ input, changed_inputs: ['count'] })).toBe('A lighthouse at dusk');
  expect(formatChangedInputs({ changed_inputs: ['look_of_all', 'count'] })).toBe('Changed: look of all, count');
  expect(formatChangedInputs({ changed_inputs: [] })).toBeNull();
});
