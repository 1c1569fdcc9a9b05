import { isNull } from 'drizzle-orm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import { workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import { useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { createQuickEngine } from './testing/quick-engine.ts';
import { searchPrice, searchStep } from './testing/search-steps.ts';
import { listRunEntries, getRun, saveStarter, stepStatuses, findStep } from './testing/workflow-fixture.ts';

const engine = createQuickEngine();
const service = useSharedService(() => ({ engines: [engine], config: { workerConcurrency: 4 } }));
const workers = createWorkerFixture(service);
beforeAll(async () => {
  await workers.start();
});
afterAll(() => workers.stop());

type Studio = Awaited<ReturnType<typeof service.createOrganization>>;

async function waitForCompletion(organization: Studio, ids: readonly string[]): Promise<WorkflowRun[]> {
  await waitFor('all runs to end', async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return (await service.get().deps.db.$count(workflowRuns, isNull(workflowRuns.completed_at))) === 0;
  });
  return Promise.all(ids.map((id) => getRun(organization, id)));
}

const costOf = (run: WorkflowRun) => parseUsd(run.usage.amount_usd);
const isSorted = (times: readonly (string | null | undefined)[]) =>
  times.every((time, index) => index === 0 || (times[index - 1] ?? '') <= (time ?? ''));

it('completes a hundred concurrent runs of five steps with exact costs', async () => {
  const organization = await service.createOrganization('100');
  const starter_slug = await saveStarter(organization, {
    steps: [
      searchStep('a', []),
      searchStep('b', ['a'], 10),
      searchStep('c', ['a'], 15),
      searchStep('d', ['b', 'c'], 20),
      searchStep('e', [], 1),
    ],
  });
  const before = engine.queries.length;
  const body = { starter_slug, input: {} };
  const runs = await Promise.all(
    Array.from({ length: 100 }, async () => (await organization.call('create_workflow_run', { body })).body.id),
  );
  const all = await waitForCompletion(organization, runs);
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['succeeded']));
  const price = [5, 10, 15, 20, 1].reduce((sum, limit) => sum + searchPrice(limit), 0n);
  expect(new Set(all.map(costOf))).toEqual(new Set([price]));
  expect(engine.queries).toHaveLength(before + 500);
  expect(new Set(all.flatMap(({ steps }) => steps.map(({ generation_id }) => generation_id)))).toHaveLength(500);
  const { body: summary } = await organization.call('get_billing_summary');
  expect(summary).toMatchObject({
    reserved_usd: '0.00',
    spent_total_usd: formatUsd(price * 100n),
    available_usd: formatUsd(100_000_000n - price * 100n),
  });
  expect((await organization.call('get_verification')).body.ok).toBe(true);
});

interface Shape {
  limit: number;
  needs: boolean[];
  when: 'always' | 'never' | 'after';
  items: number | null;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  limit: fc.integer({ min: 1, max: 50 }),
  needs: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  when: fc.constantFrom('always' as const, 'always' as const, 'never' as const, 'after' as const),
  items: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null, freq: 3 }),
});

const keyOf = (index: number) => `s${index}`;

/** Each step needs a random subset of earlier steps. */
function stepsOf(shapes: readonly Shape[], failOne: number): WorkflowDefinition['steps'] {
  const steps = shapes.map(({ limit, needs, when, items }, index) => {
    const waits = shapes.flatMap((_shape, other) => (other < index && needs[other] ? [keyOf(other)] : []));
    const fails = index === failOne;
    return searchStep(keyOf(index), waits, limit, {
      ...(when === 'never' ? { when: 'false' } : {}),
      ...(when === 'after' && waits[0] ? { when: `steps.${waits[0]}.status = "succeeded"` } : {}),
      ...(items === null ? {} : { for_each: items === 0 ? 'input.nothing_there' : `[1..${items}]` }),
      input: { query: fails ? 'fail' : keyOf(index), platform: 'social_c_shorts', limit },
    });
  });
  return steps.toReversed();
}

it('runs any graph in order and each step at most once, with costs that match the ledger', async () => {
  const organization = await service.createOrganization('1000');
  const graphs = fc.sample(fc.tuple(fc.array(shape, { minLength: 1, maxLength: 7 }), fc.nat({ max: 14 })), 20);
  const input_schema = { type: 'object', properties: { nothing_there: { type: 'object', 'x-media': 'image' } } };
  const ids = await Promise.all(
    graphs.map(async ([shapes, failOne]) => {
      const starter_slug = await saveStarter(organization, { input_schema, steps: stepsOf(shapes, failOne) });
      return (await organization.call('create_workflow_run', { body: { starter_slug, input: {} } })).body.id;
    }),
  );
  const runs = await waitForCompletion(organization, ids);
  let total = 0n;
  for (const [place, run] of runs.entries()) {
    const [shapes, failOne] = graphs[place] ?? [[], 0];
    const statuses = stepStatuses(run);
    const blocked = new Set<string>();
    for (const [index, { limit, needs, when, items }] of shapes.entries()) {
      const key = keyOf(index);
      const step = findStep(run, key);
      const waits = Object.keys(statuses).filter(
        (other) => Number(other.slice(1)) < index && needs[Number(other.slice(1))],
      );
      const isBlocked = waits.some((other) => statuses[other] === 'failed' || blocked.has(other));
      if (isBlocked) blocked.add(key);
      const isStopped = isBlocked && when !== 'never';
      const isSkipped =
        when === 'never' ||
        (when === 'after' &&
          waits[0] !== undefined &&
          statuses[keyOf(shapes.findIndex((_s, at) => at < index && needs[at]))] !== 'succeeded');
      const fails = index === failOne && items !== 0;
      expect(step.status).toBe(isStopped ? 'stopped' : isSkipped ? 'skipped' : fails ? 'failed' : 'succeeded');
      const generations =
        items === null
          ? [step.generation_id].filter((id) => id !== null)
          : (step.items ?? []).map(({ generation_id }) => generation_id);
      expect(generations).toHaveLength(isStopped || isSkipped ? 0 : (items ?? 1));
      const cost = step.status === 'succeeded' ? searchPrice(limit) * BigInt(generations.length) : 0n;
      expect(parseUsd(step.amount_usd ?? '')).toBe(cost);
      for (const other of waits) {
        const before = findStep(run, other);
        if (step.started_at && before.completed_at) expect(isSorted([before.completed_at, step.started_at])).toBe(true);
      }
    }
    expect(run.status).toBe(Object.values(statuses).includes('failed') ? 'failed' : 'succeeded');
    const entries = await listRunEntries(organization, run.id);
    expect(-entries.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n)).toBe(costOf(run));
    expect(new Set(entries.map(({ generation_id, type }) => `${generation_id} ${type}`))).toHaveLength(entries.length);
    expect(run.usage.line_items.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n)).toBe(costOf(run));
    total += costOf(run);
  }
  expect((await organization.call('get_billing_summary')).body).toMatchObject({
    reserved_usd: '0.00',
    spent_total_usd: formatUsd(total),
  });
});
