import { expect, it } from 'vitest';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createTestClient } from '#server/app/testing/test-client.ts';
import { advanceRun } from './advance/advancer.ts';
import { listActiveGenerations, neverAborted } from './testing/advance-all.ts';
import { imageStep, getRun, startTestRun, findStep } from './testing/workflow-fixture.ts';

const service = useSharedService(() => ({
  engines: [createScriptedEngine()],
  config: { maxQueuedFreeGenerations: 2 },
}));
const deps = () => service.get().deps;
const NO_TIME_MS = -1;

async function addKey(organization: TestOrganization): Promise<TestOrganization> {
  const { key } = (await organization.call('create_api_key', { body: { name: 'Second', kind: 'member' } })).body;
  return { ...organization, key, ...createTestClient(service.get().app, key) };
}

it('a step waits while its key has reached its limit of queued free generations', async () => {
  const organization = await service.createOrganization('1');
  const input = { video: { url: 'https://example.com/a.mp4' } };
  const frames = { key: 'a', name: 'a', task: 'video.extract_frame', input, for_each: '[1..5]' };
  const { id } = await startTestRun(organization, { steps: [frames, imageStep('b', 'b')] });
  await advanceRun(deps(), id, neverAborted);
  // Steps with a price are enqueued nevertheless.
  expect(findStep(await getRun(organization, id), 'b').status).toBe('queued');
  const placed = new Set<string>();
  for (const expected of [2, 2, 1]) {
    const steps = (await getRun(organization, id)).steps.filter(({ key }) => key === 'a');
    const ids = steps.flatMap(({ items }) => items?.flatMap(({ generation_id }) => generation_id ?? []) ?? []);
    const added = ids.filter((generation_id) => !placed.has(generation_id));
    expect(added).toHaveLength(expected);
    for (const generation_id of added) {
      placed.add(generation_id);
      await organization.call('cancel_generation', { params: { generation_id } });
    }
    await advanceRun(deps(), id, neverAborted);
  }
  const { status, items } = findStep(await getRun(organization, id), 'a');
  expect([status, items?.map((item) => item.error)]).toEqual(['canceled', [null, null, null, null, null]]);
});

it('a long run is advanced in slices and enqueues itself again', async () => {
  const organization = await service.createOrganization('1');
  const { id } = await startTestRun(organization, {
    steps: [imageStep('a', 'a'), imageStep('b', 'b'), imageStep('c', 'c')],
  });
  let slices = 0;
  const stop = await deps().queue.work('workflow.advance', 1, async ({ run_id }) => {
    await advanceRun(deps(), run_id, neverAborted, NO_TIME_MS);
    if (run_id === id) slices += 1;
  });
  await waitFor('all steps', async () => (await listActiveGenerations(deps().db, id)).length === 3);
  await stop();
  expect(slices).toBeGreaterThanOrEqual(2);
});

it('the first run of a key is advanced before later runs of another key', async () => {
  const one = await service.createOrganization('1');
  const two = await addKey(one);
  const many: string[] = [];
  for (let run = 0; run < 5; run += 1) many.push((await startTestRun(one, { steps: [imageStep('a', 'a')] })).id);
  const late = await startTestRun(two, { steps: [imageStep('a', 'a')] });
  const advanced: string[] = [];
  const stop = await deps().queue.work('workflow.advance', 1, async ({ run_id }) => {
    advanced.push(run_id);
  });
  await waitFor('all runs', async () => [...many, late.id].every((id) => advanced.includes(id)));
  await stop();
  expect(advanced.filter((id) => many.includes(id) || id === late.id).indexOf(late.id)).toBeLessThanOrEqual(1);
});
