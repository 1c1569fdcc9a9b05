import { desc, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { falDocument } from '#contract/added-models/testing/fal-document.ts';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { FAKE_FAL_MODELS } from '#server/models/providers/fal/testing/fake-fal-models.ts';
import { addedModels } from '#server/platform/db/schema/added-model-schema.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { checkDrift, enqueueDueChecks } from './check-drift.ts';
import { startDriftChecks } from './start-drift-checks.ts';
import { useChangingModels } from './testing/changing-models-fixture.ts';

const DAY_MS = 24 * 3_600_000;
const SPEECH = 'acme/speech';
const fixture = useChangingModels();
const NEVER = new AbortController().signal;

const speech = (properties: object, required = ['text']) =>
  falDocument(
    {
      text: { type: 'string', minLength: 1, maxLength: 5_000 },
      voice: { enum: ['ann', 'ben'], type: 'string', default: 'ann' },
      speed: { type: 'number', minimum: 0.5, maximum: 2, default: 1 },
      ...properties,
    },
    { required, output: { audio: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] } } },
  );
const MORE_VOICES = speech({ voice: { enum: ['ann', 'ben', 'cleo'], type: 'string', default: 'ann' } });
const FEWER_VOICES = speech({ voice: { enum: ['ann'], type: 'string', default: 'ann' } });

const checkNow = async ({ id }: Pick<AddedModel, 'id'>) => {
  const { deps, organization_id } = fixture.service;
  await checkDrift(deps, { organization_id, model_id: id }, NEVER);
};
/** A day later. */
const check = async (model: Pick<AddedModel, 'id'>): Promise<AddedModel> => {
  fixture.service.deps.clock.advance(DAY_MS);
  await checkNow(model);
  return fixture.read(model.id);
};
const changesOf = ({ drift }: AddedModel) => drift?.changes.map(({ text, breaks }) => [text, breaks]);
const readRow = async (id: AddedModel['id']) => {
  const [row] = await fixture.service.deps.db.select().from(addedModels).where(eq(addedModels.id, id));
  return row;
};
const newestEvent = async () =>
  (await fixture.service.deps.db.select().from(auditEvents).orderBy(desc(auditEvents.seq)).limit(1))[0];
const update = (id: string, body: object) =>
  fixture.service.call('update_added_model', { params: { model_id: id }, body });

describe('checkDrift', () => {
  let model: AddedModel;
  beforeEach(async () => {
    fixture.record.models = FAKE_FAL_MODELS;
    model = await fixture.add(SPEECH);
  });
  afterEach(async () => {
    await fixture.service.call('remove_added_model', { params: { model_id: model.id } });
  });

  it('finds nothing while the provider changes nothing, and checks once a day', async () => {
    expect(await check(model)).toMatchObject({ state: 'published', drift: null });
    fixture.changeAtProvider(SPEECH, { document: MORE_VOICES });
    fixture.service.deps.clock.advance(DAY_MS - 1);
    await checkNow(model);
    expect((await fixture.read(model.id)).drift).toBeNull();
    fixture.service.deps.clock.advance(1);
    await checkNow(model);
    expect((await fixture.read(model.id)).drift).not.toBeNull();
  });

  it('reports a change that the form survives without pausing, writes it once, and forgets it when it is undone', async () => {
    fixture.changeAtProvider(SPEECH, { document: MORE_VOICES });
    const first = await check(model);
    expect(first).toMatchObject({ state: 'published', paused_reason: null, updated_at: model.updated_at });
    expect(changesOf(first)).toEqual([[expect.stringContaining('cleo'), false]]);
    expect((await check(model)).drift).toEqual(first.drift);
    fixture.record.models = FAKE_FAL_MODELS;
    expect((await check(model)).drift).toBeNull();
  });

  it('pauses a published model whose form no longer fits, with a reason and an audit event of the service', async () => {
    fixture.changeAtProvider(SPEECH, { document: FEWER_VOICES });
    const paused = await check(model);
    expect(paused.state).toBe('paused');
    expect(paused.paused_reason).toMatch(/^The form no longer fits: .*ben.*\.$/);
    expect(changesOf(paused)).toEqual([[expect.stringContaining('ben'), true]]);
    expect(await newestEvent()).toMatchObject({
      action: 'added_model.paused',
      actor_type: 'service',
      target_id: model.id,
      after: { reason: paused.paused_reason },
    });
    const order = { task: 'audio.speech', model: model.id, input: { text: 'Hello' } };
    const { error } = await fixture.service.callError('create_generation', { body: order });
    expect(error).toMatchObject({ code: 'model_unavailable', message: expect.stringContaining('is paused.') });
  });

  it('leaves a model published that an administrator published again in spite of the change', async () => {
    fixture.changeAtProvider(SPEECH, { document: FEWER_VOICES });
    await check(model);
    await update(model.id, { state: 'published' });
    expect(await check(model)).toMatchObject({ state: 'published', paused_reason: null });
    fixture.changeAtProvider(SPEECH, null);
    expect(await check(model)).toMatchObject({ state: 'paused' });
  });

  it('leaves the pause of an administrator as it is', async () => {
    await update(model.id, { state: 'paused' });
    fixture.changeAtProvider(SPEECH, { document: FEWER_VOICES });
    const checked = await check(model);
    expect(checked).toMatchObject({ state: 'paused', paused_reason: null });
    expect(checked.drift?.changes).toHaveLength(1);
  });

  it('pauses a model that is gone, and runs it again after the update', async () => {
    fixture.changeAtProvider(SPEECH, null);
    const gone = await check(model);
    expect(gone).toMatchObject({ state: 'paused', paused_reason: 'fal has no model acme/speech.' });
    fixture.record.models = FAKE_FAL_MODELS;
    expect(await check(model)).toMatchObject({ state: 'paused', drift: null });
    const { hash, task, price } = gone;
    await fixture.service.call('upgrade_added_model', {
      params: { model_id: model.id },
      body: { hash, task, price },
    });
    expect(await fixture.read(model.id)).toMatchObject({ state: 'published', paused_reason: null });
  });

  it('compares the published price with the one at the time, not with the administrator’s', async () => {
    await update(model.id, { price: { ...model.price, unit_price_micro_usd: 90_000 } });
    expect((await check(model)).drift).toBeNull();
    fixture.changeAtProvider(SPEECH, { price: { unit_price: 0.08, unit: '1000 characters' } });
    expect(changesOf(await check(model))).toEqual([
      ['The provider’s price is $0.08 (1000 characters) instead of $0.05 (1000 characters).', false],
    ]);
    fixture.changeAtProvider(SPEECH, { price: null });
    expect(changesOf(await check(model))).toEqual([['The provider no longer publishes a price.', false]]);
  });

  it('reports a deprecation and a schema that can’t be read', async () => {
    fixture.changeAtProvider(SPEECH, { status: 'deprecated' });
    expect(changesOf(await check(model))).toEqual([['fal marks this model as deprecated.', false]]);
    fixture.changeAtProvider(SPEECH, { document: { openapi: '3.0.4', paths: {} } });
    expect(changesOf(await check(model))).toEqual([[expect.stringMatching(/^The provider’s new schema/), false]]);
    expect((await fixture.read(model.id)).state).toBe('published');
  });

  it('changes nothing when the provider fails, and asks again in an hour', async () => {
    fixture.changeAtProvider(SPEECH, null);
    for (let request = 0; request < 3; request += 1)
      fixture.fal.injectFault((_request, response) => response.writeHead(500).end());
    expect(await check(model)).toMatchObject({ state: 'published', drift: null });
    await checkNow(model);
    expect((await fixture.read(model.id)).state).toBe('published');
    fixture.service.deps.clock.advance(3_600_000);
    await checkNow(model);
    expect((await fixture.read(model.id)).state).toBe('paused');
  });

  it('is done once when two processes check at the same time', async () => {
    let requests = 0;
    fixture.service.deps.clock.advance(DAY_MS);
    for (let request = 0; request < 9; request += 1)
      fixture.fal.injectFault((_request, _response, serve) => {
        requests += 1;
        serve();
      });
    await Promise.all([checkNow(model), checkNow(model), checkNow(model)]);
    // Schema, price and page.
    expect(requests).toBe(3);
    for (let served = requests; served < 9; served += 1) await fetch(fixture.fal.base_url);
  });

  it('does not store what was compared with a version that is no longer current', async () => {
    fixture.changeAtProvider(SPEECH, { document: FEWER_VOICES });
    fixture.service.deps.clock.advance(DAY_MS);
    fixture.fal.injectFault((_request, _response, serve) => {
      void update(model.id, { markup_percent: 10 }).then(serve);
    });
    await checkNow(model);
    expect(await fixture.read(model.id)).toMatchObject({ state: 'published', version: 2, drift: null });
  });

  it('does not rebuild the offering for a check that found nothing', async () => {
    const { offering } = fixture.service.deps;
    const before = await offering.refresh();
    await check(model);
    expect(await offering.refresh()).toBe(before);
    await update(model.id, { name: 'Other' });
    expect(await offering.refresh()).not.toBe(before);
  });

  it('checks a draft without pausing it, and no removed model', async () => {
    const draft = await fixture.add('acme/mesh', { state: 'draft' });
    fixture.changeAtProvider('acme/mesh', null);
    expect(await check(draft)).toMatchObject({ state: 'draft', drift: { changes: [{ breaks: true }] } });
    await fixture.service.call('remove_added_model', { params: { model_id: draft.id } });
    const { checked_at } = (await readRow(draft.id)) ?? {};
    await check(draft);
    expect((await readRow(draft.id))?.checked_at).toEqual(checked_at);
  });
});

describe('startDriftChecks', () => {
  it('checks models that are due, but not those of a disconnected provider', async () => {
    fixture.record.models = FAKE_FAL_MODELS;
    const { deps } = fixture.service;
    const model = await fixture.add(SPEECH);
    const moved = await fixture.add('acme/mesh');
    const provider_id = await fixture.connect();
    await update(moved.id, { provider_id });
    await fixture.service.call('disconnect_provider', { params: { provider_id } });
    deps.clock.advance(DAY_MS);
    await enqueueDueChecks(deps, 0);
    await enqueueDueChecks(deps, 0);
    const stop = await startDriftChecks(deps, NEVER);
    await waitFor(
      'the check',
      async () => (await readRow(model.id))?.checked_at?.getTime() === deps.clock.now().getTime(),
    );
    await stop();
    expect((await readRow(moved.id))?.checked_at).toEqual((await readRow(moved.id))?.created_at);
  });
});
