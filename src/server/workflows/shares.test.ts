import { expect, it } from 'vitest';
import { type Studio, sharedService } from '../generations/testing/both-databases.ts';
import { createScriptedEngine } from '../generations/testing/scripted-engine.ts';
import { waitFor } from '../generations/testing/wait-for.ts';
import { createTestClient } from '../testing/test-client.ts';
import { advanceRun } from './advance/advance-run.ts';
import { activeOf, never } from './testing/go-on.ts';
import { picture, readRun, start, stepOf } from './testing/workflow-bench.ts';

const service = sharedService(() => ({
  engines: [createScriptedEngine()],
  config: { max_queued_free_generations: 2 },
}));
const deps = () => service.get().deps;
/** Any time is longer. */
const NO_TIME_MS = -1;

async function addKey(studio: Studio): Promise<Studio> {
  const { key } = (await studio.call('create_api_key', { body: { name: 'Second', kind: 'member' } })).body;
  return { ...studio, key, ...createTestClient(service.get().app, key) };
}

it('a step waits for room where its key has as many free generations queued as it may', async () => {
  const studio = await service.openStudio('1');
  const input = { video: { url: 'https://example.com/a.mp4' } };
  const frames = { key: 'a', name: 'a', task: 'video.extract_frame', input, for_each: '[1..5]' };
  const { id } = await start(studio, { steps: [frames, picture('b', 'b')] });
  await advanceRun(deps(), id, never);
  // What has a price is placed all the same.
  expect(stepOf(await readRun(studio, id), 'b').status).toBe('queued');
  const placed = new Set<string>();
  for (const expected of [2, 2, 1]) {
    const steps = (await readRun(studio, id)).steps.filter(({ key }) => key === 'a');
    const ids = steps.flatMap(({ items }) => items?.flatMap(({ generation_id }) => generation_id ?? []) ?? []);
    const added = ids.filter((generation_id) => !placed.has(generation_id));
    expect(added).toHaveLength(expected);
    for (const generation_id of added) {
      placed.add(generation_id);
      await studio.call('cancel_generation', { params: { generation_id } });
    }
    await advanceRun(deps(), id, never);
  }
  const { status, items } = stepOf(await readRun(studio, id), 'a');
  expect([status, items?.map((item) => item.error)]).toEqual(['canceled', [null, null, null, null, null]]);
});

it('a run that takes long is advanced in slices, and wakes itself', async () => {
  const studio = await service.openStudio('1');
  const { id } = await start(studio, { steps: [picture('a', 'a'), picture('b', 'b'), picture('c', 'c')] });
  let slices = 0;
  const stop = await deps().queue.work('workflow.advance', 1, async ({ run_id }) => {
    await advanceRun(deps(), run_id, never, NO_TIME_MS);
    if (run_id === id) slices += 1;
  });
  await waitFor('all steps', async () => (await activeOf(deps(), id)).length === 3);
  await stop();
  expect(slices).toBeGreaterThanOrEqual(2);
});

it('the first run of a key is advanced before the later ones of another', async () => {
  const one = await service.openStudio('1');
  const two = await addKey(one);
  const many: string[] = [];
  for (let run = 0; run < 5; run += 1) many.push((await start(one, { steps: [picture('a', 'a')] })).id);
  const late = await start(two, { steps: [picture('a', 'a')] });
  const advanced: string[] = [];
  const stop = await deps().queue.work('workflow.advance', 1, async ({ run_id }) => {
    advanced.push(run_id);
  });
  await waitFor('all runs', async () => [...many, late.id].every((id) => advanced.includes(id)));
  await stop();
  expect(advanced.filter((id) => many.includes(id) || id === late.id).indexOf(late.id)).toBeLessThanOrEqual(1);
});
