import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { generations } from '#server/platform/db/schema/schema.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleFailed, settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { readUsualDurations } from './usual-durations.ts';

const service = useSharedService(() => ({ engines: [createScriptedEngine()] }));
let studio: TestOrganization;

async function generate(model: string, seconds: number, { engine = 'upstream', fails = false } = {}): Promise<void> {
  const { deps } = service.get();
  const body = { task: 'image.create', model, input: { prompt: 'a pear' } };
  const { id } = (await studio.call('create_generation', { body })).body;
  const lease = await claimGeneration(deps, id);
  if (!lease) throw new Error(`${id} could not be claimed.`);
  if (fails) await settleFailed(deps, lease, { code: 'engine_failed', message: 'No.', retryable: true });
  else await settleSucceeded(deps, lease, { outputs: [], data: { engine }, lengths: {} });
  const completed_at = sql`${generations.created_at} + make_interval(secs => ${seconds})`;
  await deps.db.update(generations).set({ completed_at }).where(eq(generations.id, id));
}
const read = async () =>
  (await readUsualDurations(service.get().deps.db, studio.organization_id)).map(
    ({ model, engine, seconds }) => `${model} ${engine} ${seconds}`,
  );

beforeAll(async () => {
  studio = await service.createOrganization('100');
});

it('is the median of successes, apart for previews, and needs two', async () => {
  for (const seconds of [8, 60.04, 12]) await generate('imgmodel-a-2', seconds);
  await generate('imgmodel-a-2', 500, { fails: true });
  for (const seconds of [1, 3]) await generate('imgmodel-a-2', seconds, { engine: 'preview' });
  await generate('imgmodel-b-2', 9);
  expect(await read()).toEqual(['imgmodel-a-2 upstream 12', 'imgmodel-a-2 preview 2']);
});

it('counts the newest generations of each model only', async () => {
  for (let count = 0; count < 20; count += 1) await generate('imgmodel-a-2', 30);
  for (let count = 0; count < 2; count += 1) await generate('imgmodel-b-pro', 5);
  expect(await read()).toEqual(['imgmodel-a-2 upstream 30', 'imgmodel-b-pro upstream 5']);
});

it('is listed to members, apart for each organization', async () => {
  const other = await service.createOrganization('1');
  expect((await other.call('list_usual_durations')).body.data).toEqual([]);
  const [first] = (await studio.call('list_usual_durations')).body.data;
  expect(first).toEqual({
    object: 'usual_duration',
    task: 'image.create',
    model: 'imgmodel-a-2',
    engine: 'upstream',
    seconds: 30,
    run_seconds: 30,
  });
});
