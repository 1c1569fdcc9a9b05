import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import {
  type RunItem,
  type RunStepsByKey,
  type RunStep,
  isStepFinal,
  isDone,
  stepStatus,
} from '#server/studio/workflows/runs/run-steps.ts';
import { type StepNeeds, planRun } from './plan-run.ts';

type End = Extract<GenerationStatus, 'succeeded' | 'failed' | 'canceled' | 'manual_review'>;

interface Drawn {
  needs: boolean[];
  /** Outcomes of its generations; none: its condition skips it. */
  ends: End[];
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  needs: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  ends: fc.array(
    fc.constantFrom<End>('succeeded', 'succeeded', 'succeeded', 'succeeded', 'failed', 'canceled', 'manual_review'),
    { maxLength: 3 },
  ),
});

const keyOf = (index: number) => `s${index}`;

const stepPart = (key: string): RunStep => ({
  row: { run_id: 'run', key, state: 'waiting', error: null, begun_at: null, ended_at: null },
  items: [],
});
const itemPart = (step_key: string, index: number): RunItem => ({
  row: {
    run_id: 'run',
    step_key,
    index,
    item: null,
    label: null,
    generation_id: null,
    kept: false,
    error: null,
    ended_at: null,
  },
  generation: null,
});

/** Simulates a run whose generations complete in any order. */
function simulate(shapes: readonly Drawn[], pick: (choices: number) => number) {
  const steps: StepNeeds[] = shapes.map(({ needs }, index) => ({
    key: keyOf(index),
    needs: shapes.flatMap((_shape, other) => (other < index && needs[other] ? [keyOf(other)] : [])),
  }));
  const parts: Map<string, RunStep> = new Map(steps.map(({ key }) => [key, stepPart(key)]));
  const log: string[] = [];
  const active: { item: RunItem; end: End }[] = [];
  let status: GenerationStatus = 'queued';
  for (let round = 0; round < 1_000; round += 1) {
    const planned = planRun({ status }, steps, parts);
    status = planned.status;
    for (const action of planned.actions) {
      if (action.do === 'finish') return { steps, parts, log, status: 'finished' as const };
      const part = parts.get(action.step_key);
      if (!part) throw new Error('no such step');
      const ends = shapes[steps.findIndex(({ key }) => key === action.step_key)]?.ends ?? [];
      log.push(`${action.do} ${action.step_key}${action.do === 'place' ? ` ${action.item.index}` : ''}`);
      if (action.do === 'stop') part.row.state = 'stopped';
      else if (action.do === 'begin') {
        part.row.state = ends.length === 0 ? 'skipped' : 'begun';
        part.items = ends.map((_end, index) => itemPart(action.step_key, index));
      } else {
        const item = part.items[action.item.index];
        const end = ends[action.item.index];
        if (!item || !end) throw new Error('no such item');
        item.row.generation_id = `gen_${log.length}`;
        // The plan reads only the status of a generation.
        item.generation = { status: 'queued' } as GenerationRow;
        active.push({ item, end });
      }
    }
    if (planned.actions.length > 0) continue;
    const [one] = active.splice(pick(active.length), 1);
    if (!one) return { steps, parts, log, status };
    one.item.generation = { status: one.end } as GenerationRow;
  }
  throw new Error('It does not come to an end.');
}

const statusOf = (parts: RunStepsByKey, key: string) => {
  const part = parts.get(key);
  if (!part) throw new Error('no such step');
  return stepStatus({ status: 'running' }, part);
};

describe('for any graph and order of completions,', () => {
  const graphs = fc.array(drawn, { minLength: 1, maxLength: 12 });

  it('each step starts at most once after its needs are done, and only dependents of a failure are stopped', () => {
    fc.assert(
      fc.property(graphs, fc.infiniteStream(fc.nat()), (shapes, random) => {
        const { steps, parts, log, status } = simulate(
          shapes,
          (choices) => Number(random.next().value) % Math.max(1, choices),
        );
        expect(new Set(log).size).toBe(log.length);
        for (const { key, needs } of steps) {
          const begun = log.indexOf(`begin ${key}`);
          const ofNeeds = needs.map((need) => statusOf(parts, need));
          if (begun >= 0) {
            expect(ofNeeds.every(isDone)).toBe(true);
            for (const need of needs) expect(log.indexOf(`begin ${need}`)).toBeLessThan(begun);
          }
          const own = statusOf(parts, key);
          expect(own === 'stopped').toBe(ofNeeds.some((other) => isStepFinal(other) && !isDone(other)));
          expect(own === 'waiting').toBe(own !== 'stopped' && ofNeeds.some((other) => !isStepFinal(other)));
        }
        const isOver = steps.every(({ key }) => isStepFinal(statusOf(parts, key)));
        expect(status).toBe(isOver ? 'finished' : 'manual_review');
      }),
      { numRuns: 500 },
    );
  });
});
