import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { TaskId } from '#contract/ids.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { addedModelsFixture, PER_RUN } from '#server/models/added-models/testing/added-models-fixture.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import { isValidElsewhere } from '#server/platform/media/testing/second-reader.ts';

const models = addedModelsFixture();

async function reportOf({ output }: Generation) {
  const media_id = output.assets[0]?.id ?? '';
  return (await models.service.call('get_media_credentials', { params: { media_id } })).body.report;
}

describe('results of added models', () => {
  it('name the model and its provider', async () => {
    const { id, task } = await models.publish('acme/paint/lora', { name: 'House painter' });
    const report = await reportOf(await models.run({ id, task }, { prompt: 'a pear' }));
    expect([report.state, report.ai]).toEqual(['valid', 'generated']);
    expect(report.steps).toMatchObject([
      {
        actions: [{ action: 'c2pa.created', software: 'House painter (fal)', source_type: 'trainedAlgorithmicMedia' }],
      },
    ]);
  });

  it.each<[string, TaskId, readonly string[], readonly string[]]>([
    ['acme/inpaint', 'image.edit', ['parent', 'input'], ['c2pa.opened', 'c2pa.edited']],
    ['acme/upscale', 'image.upscale', ['parent'], ['c2pa.opened', 'c2pa.resized']],
  ])('of %s for %s are signed as edits, which a second reader confirms', async (address, task, related, actions) => {
    const { media, service } = models;
    const { url } = await media.upload(service, service.organization_id, media.picture());
    const input = { image_url: { url }, ...(related.length > 1 ? { prompt: 'a boat', mask_url: { url } } : {}) };
    const done = await models.run(await models.publish(address, { task, price: PER_RUN }), input);
    const report = await reportOf(done);
    expect([report.state, report.ai]).toEqual(['valid', 'edited']);
    const [step] = report.steps;
    expect(step?.actions.map(({ action }) => action)).toEqual(actions);
    expect(step?.actions.at(-1)?.source_type).toBe('compositeWithTrainedAlgorithmicMedia');
    expect(step?.ingredients.map(({ relationship }) => relationship)).toEqual(related);
    const [row] = await service.deps.db.select().from(assets).where(eq(assets.generation_id, done.id));
    const file = join(service.deps.config.mediaDir, 'media', 'objects', row?.storage_key ?? '');
    expect(await isValidElsewhere(file)).toBe(true);
  });
});
