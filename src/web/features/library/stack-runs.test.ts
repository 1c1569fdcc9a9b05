import { expect, it } from 'vitest';
import { stackRuns } from './stack-runs.ts';

const file = (id: string, workflow_run_id: string | null = null) =>
  ({
    id,
    generation: {
      id: `gen_${id}`,
      task: 'video.trim',
      model: null,
      prompt: null,
      status: 'succeeded',
      workflow_run_id,
    },
  }) as const;
const rows = [file('a', 'run_1'), file('b'), file('c', 'run_1'), file('d', 'run_2'), { id: 'e', generation: null }];
const ids = (openRuns: string[]) => stackRuns(rows, new Set(openRuns)).media.map(({ id }) => id);

it('shows the newest file of each run, in its place', () => {
  expect(ids([])).toEqual(['a', 'b', 'd', 'e']);
  expect([...stackRuns(rows, new Set()).counts]).toEqual([['a', 2]]);
});

it('shows all files of an open run after the newest one, and loses none', () => {
  expect(ids(['run_1'])).toEqual(['a', 'c', 'b', 'd', 'e']);
});
