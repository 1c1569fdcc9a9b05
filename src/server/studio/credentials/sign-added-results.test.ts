import { expect, it } from 'vitest';
import { addedModelsFixture } from '#server/models/added-models/testing/added-models-fixture.ts';

const models = addedModelsFixture();

it('a result of an added model names the model and its provider', { timeout: 120_000 }, async () => {
  const { id, task } = await models.publish('acme/paint/lora', { name: 'House painter' });
  const { output } = await models.run({ id, task }, { prompt: 'a pear' });
  const media_id = output.assets[0]?.id ?? '';
  const { report } = (await models.service.call('get_media_credentials', { params: { media_id } })).body;
  expect([report.state, report.ai]).toEqual(['valid', 'generated']);
  expect(report.steps).toMatchObject([
    { actions: [{ action: 'c2pa.created', software: 'House painter (fal)', source_type: 'trainedAlgorithmicMedia' }] },
  ]);
});
