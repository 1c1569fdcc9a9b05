import { expect, it, onTestFinished } from 'vitest';
import type { AlertKind } from '#contract/alert-kinds.ts';
import type { AddedModelId } from '#contract/ids.ts';
import { startWorker } from '#server/app/worker.ts';
import { checkDrift } from '#server/models/added-models/check-drift.ts';
import { useChangingModels } from '#server/models/added-models/testing/changing-models-fixture.ts';
import { FAKE_FAL_MODELS } from '#server/models/providers/fal/testing/fake-fal-models.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { checkAlerts } from './check-alerts.ts';

const DAY_MS = 24 * 3_600_000;
const SPEECH = 'acme/speech';
const fixture = useChangingModels();

const list = async (kind: AlertKind) => {
  const { deps, organization_id, call } = fixture.service;
  await checkAlerts(deps, organization_id);
  const { data } = (await call('list_alerts', { query: { kind } })).body;
  return data.map(({ message, status, subject }) => ({ message, status, subject }));
};
const checkTomorrow = async (model_id: AddedModelId) => {
  const { deps, organization_id } = fixture.service;
  deps.clock.advance(DAY_MS);
  await checkDrift(deps, { organization_id, model_id }, new AbortController().signal);
};

it('alerts once about each change of a model until it is updated, paused ones included', async () => {
  const { id } = await fixture.add(SPEECH);
  const subject = { id, name: 'Acme Speech' };
  expect(await list('model_changed')).toEqual([]);

  fixture.changeAtProvider(SPEECH, { price: { unit_price: 0.08, unit: '1000 characters' } });
  await checkTomorrow(id);
  const changed = {
    subject,
    message: expect.stringMatching(/^Acme Speech changed at its provider: The provider’s price is \$0\.08 .*\.$/),
  };
  expect(await list('model_changed')).toEqual([{ ...changed, status: 'open' }]);
  await checkTomorrow(id);
  expect(await list('model_changed')).toHaveLength(1);

  fixture.changeAtProvider(SPEECH, null);
  await checkTomorrow(id);
  const paused = { subject, message: 'Acme Speech is paused. fal has no model acme/speech.' };
  expect(await list('model_changed')).toEqual([
    { ...paused, status: 'open' },
    { ...changed, status: 'resolved' },
  ]);

  fixture.record.models = FAKE_FAL_MODELS;
  await checkTomorrow(id);
  expect((await list('model_changed')).filter(({ status }) => status === 'open')).toEqual([
    { ...paused, status: 'open' },
  ]);
  await fixture.service.call('update_added_model', { params: { model_id: id }, body: { state: 'published' } });
  expect((await list('model_changed')).map(({ status }) => status)).not.toContain('open');
});

it('does not alert about drafts and removed models', async () => {
  const draft = await fixture.add('acme/mesh', { state: 'draft' });
  const before = await list('model_changed');
  fixture.changeAtProvider('acme/mesh', null);
  await checkTomorrow(draft.id);
  expect(await list('model_changed')).toEqual(before);
  fixture.record.models = FAKE_FAL_MODELS;
});

it('alerts about a model whose runs cost more than they were charged', async () => {
  const { service, fal, record } = fixture;
  const worker = await startWorker(service.deps);
  onTestFinished(() => worker.stop());
  const model = await fixture.add('acme/paint/lora');
  const run = async (billing: typeof record.billing) => {
    record.billing = billing;
    const body = { task: model.task, model: model.id, input: { prompt: 'a pear' } };
    const { id: generation_id } = (await service.call('create_generation', { body })).body;
    return waitFor('completion', async () => {
      for (const job of fal.upstream.jobs) job.state = 'succeeded';
      const { body: generation } = await service.call('get_generation', { params: { generation_id } });
      return generation.status === 'succeeded' && generation;
    });
  };
  await run('as_listed');
  await run('less');
  await run('never');
  expect(await list('model_costs_more')).toEqual([]);
  const { usage } = await run('more');
  expect(usage.amount_usd).toBe('0.02');
  const subject = { id: model.id, name: model.name };
  expect(await list('model_costs_more')).toEqual([
    {
      subject,
      status: 'open',
      message: `One run of ${model.name} cost $0.04 more in the last 7 days than it was charged. Check the price of the model.`,
    },
  ]);
  service.deps.clock.advance(8 * DAY_MS);
  expect((await list('model_costs_more')).map(({ status }) => status)).toEqual(['resolved']);
});
