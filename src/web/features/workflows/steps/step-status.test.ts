import { describe, expect, it } from 'vitest';
import type { WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import { formatStepRepeats } from './estimate-breakdown.tsx';
import { formatItemProgress, stepStatusMessage } from './step-status.tsx';

const step = (
  key: string,
  status: WorkflowRunStep['status'],
  more: Partial<WorkflowRunStep> = {},
): WorkflowRunStep => ({
  key,
  name: key.toUpperCase(),
  task: 'image.create',
  model: null,
  status,
  generation_id: null,
  ...more,
});
const sentence = (given: WorkflowRunStep, ...others: WorkflowRunStep[]) => stepStatusMessage(given, [given, ...others]);

describe('stepStatusMessage', () => {
  it('names only the steps it still waits for', () => {
    const waiting = step('c', 'waiting', { needs: ['a', 'b'] });
    expect(sentence(waiting, step('a', 'running'), step('b', 'queued'))).toBe('Waiting for “A” and “B”.');
    expect(sentence(waiting, step('a', 'succeeded'), step('b', 'running'))).toBe('Waiting for “B”.');
    expect(sentence(waiting, step('a', 'succeeded'), step('b', 'skipped'))).toBe('Starting soon.');
  });

  it('names the steps that stopped it', () => {
    const stopped = step('c', 'stopped', { needs: ['a', 'b'] });
    expect(sentence(stopped, step('a', 'failed'), step('b', 'succeeded'))).toContain('because “A” did not finish');
    expect(sentence(step('c', 'stopped'))).toBe('Not started. Not charged.');
  });

  it('describes errors, kept steps and empty lists', () => {
    const error = { code: 'x', message: 'The model refused this.', retryable: false };
    expect(sentence(step('a', 'failed', { error }))).toBe('The model refused this.');
    expect(sentence(step('a', 'succeeded', { kept: true }))).toContain('Kept from the previous run');
    expect(sentence(step('a', 'succeeded', { items: [] }))).toContain('nothing to run');
  });
});

it('counts finished items', () => {
  const item = {
    index: 0,
    label: null,
    generation_id: null,
    progress: null,
    amount_usd: '0.00',
    error: null,
    kept: false,
  };
  const times = { started_at: null, completed_at: null };
  const items = (['succeeded', 'failed', 'running'] as const).map((status) => ({ ...item, ...times, status }));
  expect(formatItemProgress({ items })).toBe('1 of 3 done');
  expect([formatItemProgress({ items: [] }), formatItemProgress({ items: null })]).toEqual([null, null]);
});

it.each([
  [1, 1, null],
  [3, 3, '3 times'],
  [0, 0, 'Skipped'],
  [0, 1, 'At most once'],
  [0, 4, 'Up to 4 times'],
  [2, 4, '2 to 4 times'],
])('formats %d to %d repeats as “%s”', (minimum_count, maximum_count, words) => {
  expect(formatStepRepeats({ minimum_count, maximum_count })).toBe(words);
});
