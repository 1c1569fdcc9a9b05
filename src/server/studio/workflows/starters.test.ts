import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readWorkflowInput } from '#contract/workflows/workflow-input.ts';
import { fixedOffering } from '#server/models/catalog/offering.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createMediaLink } from '#server/studio/assets/media-links.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { ReadNames } from './definition/read-templates.ts';
import { readTemplateNames } from './expression/template-names.ts';
import { loadStarters } from './starters/load-starters.ts';
import { imageStep, saveStarter, createDefinition } from './testing/workflow-fixture.ts';
import { searchPrice, searchStep } from './testing/search-steps.ts';

const log = { warn: () => undefined, info: () => undefined };
const readNames: ReadNames = async (templates) => readTemplateNames(templates);
const shipped = await loadStarters({ startersDir: null, publicUrl: 'http://localhost:8787' }, log, readNames);
const service = useSharedService(() => ({ engines: [createScriptedEngine()], starters: shipped }));

let organization: TestOrganization;
beforeAll(async () => {
  organization = await service.createOrganization('10');
});

const ask = (properties: Record<string, unknown>, required: string[] = Object.keys(properties)) => ({
  input_schema: { type: 'object', properties, required },
});
const text = { type: 'string' };

async function medium(type: 'video' | 'audio' | 'image', duration_seconds: number | null = null): Promise<string> {
  const { deps } = service.get();
  const id = createId('upl', new Date());
  const { organization_id } = organization;
  const file = { storage_key: id, size_bytes: 1, sha256: id, mime_type: `${type}/x`, duration_seconds };
  await deps.db.insert(uploads).values({ id, organization_id, created_by: 'x', type, created_at: new Date(), ...file });
  return createMediaLink(deps, id).url;
}

describe('the shipped starters', () => {
  it('are five, each with its inputs, results and price', async () => {
    const { data } = (await organization.call('list_workflow_starters')).body;
    expect(
      data.map(({ slug, source, makes, price_from_usd, available }) => [
        slug,
        source,
        makes,
        price_from_usd,
        available,
      ]),
    ).toEqual([
      ['shot-list', 'shipped', ['video'], '0.54', true],
      ['ideas-to-pictures', 'shipped', ['image'], '0.012', true],
      ['product-clip', 'shipped', ['video', 'image', 'audio'], '0.22', true],
      ['scene-posters', 'shipped', ['video', 'image'], '0.00', true],
      ['talking-presenter', 'shipped', ['image', 'video'], '0.353333', true],
    ]);
    for (const starter of data) expect(readWorkflowInput(starter.input_schema)).toMatchObject({ ok: true });
    expect(data.every((starter) => starter.definition === undefined)).toBe(true);
  });

  it('can be copied but not replaced, deleted or hidden', async () => {
    const { body } = await organization.call('get_workflow_starter', { params: { slug: 'product-clip' } });
    const { definition } = body;
    if (!definition) throw new Error('A starter that is read has its definition.');
    const params = { slug: 'product-clip' };
    expect((await organization.callError('delete_workflow_starter', { params })).status).toBe(404);
    expect((await organization.callError('update_workflow_starter', { params, body: definition })).status).toBe(404);
    const conflict = await organization.callError('create_workflow_starter', { body: definition });
    expect([conflict.status, conflict.error.details?.[0]?.path]).toEqual([422, 'slug']);
    const copy = await organization.call('create_workflow_starter', { body: { ...definition, slug: 'my-clip' } });
    expect(copy.body).toMatchObject({ slug: 'my-clip', source: 'own', created_by: { name: 'Key' } });
    expect(Object.keys(copy.body.input_schema['properties'] as object)[0]).toBe('photo');
  });

  it('report disabled tasks', async () => {
    const { deps } = service.get();
    const before = deps.offering;
    deps.offering = fixedOffering({ ...before.current(), off: { tasks: [], models: ['vidmodel-c-2-mini'] } });
    const params = { slug: 'shot-list' };
    const { body } = await organization.call('get_workflow_starter', { params });
    const input = { shots: 'a\nb', look: 'c' };
    const refused = await organization.callError('create_workflow_run', { body: { starter_slug: 'shot-list', input } });
    const unpriced = await organization.callError('estimate_workflow', { params, body: { input } });
    deps.offering = before;
    expect(body).toMatchObject({
      available: false,
      unavailable_reason: '“Shots” needs VidModel C 2 Mini, which is disabled on this service.',
    });
    expect([refused, unpriced].map(({ status, error }) => [status, error.code])).toEqual([
      [400, 'model_unavailable'],
      [400, 'model_unavailable'],
    ]);
  });
});

describe('a starter of the organization', () => {
  it('can be saved, replaced and deleted by a member', async () => {
    const member = service.get().keys.member;
    const { call, callError } = service.get();
    const definition = createDefinition({ steps: [imageStep('a', 'a')] });
    const created = await call('create_workflow_starter', { key: member, body: definition });
    expect(created.body).toMatchObject({
      slug: 'a-workflow',
      price_from_usd: '0.03',
      makes: ['image'],
      created_by: { name: 'Member' },
    });
    const params = { slug: 'a-workflow' };
    const next = { ...definition, name: 'Another name' };
    expect((await call('update_workflow_starter', { params, body: next })).body.name).toBe('Another name');
    const moved = await callError('update_workflow_starter', { params, body: { ...next, slug: 'elsewhere' } });
    expect(moved.error.details).toEqual([{ path: 'slug', message: 'The slug of a starter can’t be changed.' }]);
    expect((await callError('create_workflow_starter', { body: next })).status).toBe(422);
    await call('delete_workflow_starter', { params });
    expect((await callError('get_workflow_starter', { params })).status).toBe(404);
    expect((await callError('list_workflow_starters', { key: service.get().keys.publishing })).status).toBe(401);
  });

  it('is rejected with one detail per problem if invalid', async () => {
    const body = createDefinition({ steps: [imageStep('a', '{{ input.z }}'), imageStep('b', 'b', { needs: ['q'] })] });
    const { status, error } = await organization.callError('create_workflow_starter', { body });
    expect([status, error.details?.map(({ path }) => path)]).toEqual([422, ['steps.0.input.prompt', 'steps.1.needs']]);
  });
});

describe('the estimate of a run', () => {
  const price = async (definition: Parameters<typeof saveStarter>[1], input: Record<string, unknown> = {}) => {
    const params = { slug: await saveStarter(organization, definition) };
    const { body } = await organization.call('estimate_workflow', { params, body: { input } });
    const { basis, minimum_usd, maximum_usd, amount_usd, steps } = body;
    return { all: [basis, amount_usd, minimum_usd, maximum_usd], steps };
  };

  it('is exact when the input decides', async () => {
    const clip = { task: 'video.create', model: 'vidmodel-c-2-mini' };
    const { all, steps } = await price(
      {
        ...ask({ seconds: { type: 'integer' }, lines: text, loud: { type: 'boolean' } }),
        steps: [
          imageStep('a', 'a'),
          imageStep('b', '{{ item }}', { for_each: '$split(input.lines, ",")', max_items: 2 }),
          imageStep('c', 'x', {
            ...clip,
            input: { prompt: 'abc {{ steps.a.status }}', duration_seconds: '{{ input.seconds }}' },
          }),
          imageStep('d', 'd', { when: 'input.loud' }),
        ],
      },
      { seconds: 10, lines: 'x,y,z', loud: false },
    );
    expect(all).toEqual(['exact', '0.39', '0.39', '0.39']);
    expect(steps.map(({ minimum_count, maximum_count }) => [minimum_count, maximum_count])).toEqual([
      [1, 1],
      [2, 2],
      [1, 1],
      [0, 0],
    ]);
    expect(steps[1]?.line_items).toEqual([expect.objectContaining({ quantity: '2', amount_usd: '0.06' })]);
    expect(steps.map(({ note }) => note)).toEqual([null, null, null, null]);
  });

  it('is an upper bound when a step decides', async () => {
    const { all, steps } = await price({
      steps: [
        searchStep('a', [], 10),
        imageStep('b', 'b', { for_each: 'steps.a.output.data.videos', max_items: 3 }),
        imageStep('c', 'c', { when: 'steps.a.output.data.count > 1' }),
        searchStep('d', ['a'], 1, {
          input: { query: 'x', platform: 'social_a', limit: '{{ steps.a.output.data.count + 1 }}' },
        }),
      ],
    });
    expect(all).toEqual(['upper_bound', '0.50', '0.04', '0.50']);
    expect(steps.map(({ basis, note }) => [basis, note])).toEqual([
      ['exact', null],
      ['upper_bound', 'The number of items is known once “a” is done.'],
      ['upper_bound', 'Whether this step runs is known once “a” is done.'],
      ['upper_bound', 'The price is known once “a” is done.'],
    ]);
  });

  it('uses the length of media, or is a lower bound when that is unknown', async () => {
    const sync = { task: 'video.lipsync', model: 'lipsync-v3' };
    const definition = {
      ...ask({ video: { type: 'object', 'x-media': 'video' }, voice: { type: 'object', 'x-media': 'audio' } }),
      steps: [
        imageStep('a', 'a', {
          ...sync,
          input: { video: '{{ input.video }}', audio: '{{ input.voice }}', sync_mode: 'loop' },
        }),
      ],
    };
    const video = { url: await medium('video', 5) };
    expect((await price(definition, { video, voice: { url: await medium('audio', 30) } })).all).toEqual([
      'exact',
      '4.00',
      '4.00',
      '4.00',
    ]);
    const open = await price(definition, { video, voice: { url: 'https://a.example/voice.mp3' } });
    expect(open.all).toEqual(['lower_bound', '0.133333', '0.133333', null]);
    expect(open.steps[0]?.note).toBe('The price depends on the length of the media, which is not known yet.');
    const shorter = {
      ...definition,
      steps: definition.steps.map((step) => ({ ...step, input: { ...step.input, sync_mode: 'cut_off' } })),
    };
    const bounded = await price(shorter, { video, voice: { url: 'https://a.example/voice.mp3' } });
    expect(bounded.all).toEqual(['upper_bound', '0.666664', '0.133333', '0.666664']);
    const edit = { task: 'video.edit', model: 'vidmodel-c-2.5' };
    const edited = {
      ...definition,
      steps: [imageStep('a', 'a', { ...edit, input: { video: '{{ input.video }}', prompt: 'x' } })],
    };
    expect((await price(edited, { video: { url: 'https://a.example/v.mp4' }, voice: video })).all).toEqual([
      'upper_bound',
      '2.55',
      '0.68',
      '2.55',
    ]);
  });

  it('bounds a price by the length that an earlier step asks for', async () => {
    const clip = {
      task: 'video.create',
      model: 'vidmodel-c-2-mini',
      input: { prompt: 'a kite over dunes', duration_seconds: 5 },
    };
    const trim = {
      task: 'video.trim',
      model: null,
      input: { video: '{{ steps.a.asset }}', start_seconds: 1, end_seconds: 3 },
    };
    const sync = (video: string) => ({
      task: 'video.lipsync',
      model: 'lipsync-v3',
      input: { video, audio: '{{ input.voice }}', sync_mode: 'silence' },
    });
    const steps = [imageStep('a', 'a', clip), imageStep('b', 'b', trim)];
    const voice = { url: 'https://a.example/voice.mp3' };
    const priceOf = async (video: string) => {
      const definition = {
        ...ask({ voice: { type: 'object', 'x-media': 'audio' } }),
        steps: [...steps, imageStep('c', 'c', sync(video))],
      };
      return (await price(definition, { voice })).steps[2];
    };
    expect(await priceOf('{{ steps.a.asset }}')).toMatchObject({ basis: 'upper_bound', maximum_usd: '0.80' });
    expect(await priceOf('{{ steps.b.asset }}')).toMatchObject({ basis: 'upper_bound', maximum_usd: '0.40' });
  });

  it('names the step for which an input is not valid', async () => {
    const slug = await saveStarter(organization, {
      ...ask({ seconds: { type: 'integer' } }),
      steps: [
        imageStep('a', 'a', {
          name: 'The clip',
          task: 'video.create',
          model: 'vidmodel-c-2',
          input: { prompt: 'abc', duration_seconds: '{{ input.seconds }}' },
        }),
      ],
    });
    const refused = await organization.callError('estimate_workflow', {
      params: { slug },
      body: { input: { seconds: 100 } },
    });
    expect([refused.status, refused.error.message]).toEqual([422, '“The clip”: Length must be at most 15.']);
    const unfit = await organization.callError('estimate_workflow', {
      params: { slug },
      body: { input: { seconds: 'x' } },
    });
    expect(unfit.error.details).toEqual([{ path: 'input.seconds', message: 'Seconds must be a number.' }]);
    expect(
      (await organization.callError('estimate_workflow', { params: { slug: 'nothing' }, body: { input: {} } })).status,
    ).toBe(404);
  });
});

describe('validation of a definition', () => {
  const validate = async (definition: unknown, input?: Record<string, unknown>) =>
    (
      await organization.call('validate_workflow', {
        body: { definition: definition as Record<string, unknown>, ...(input ? { input } : {}) },
      })
    ).body;

  it('returns problems and needs, and the estimate when there are no problems', async () => {
    const wrong = await validate(
      createDefinition({ steps: [imageStep('a', 'a', { task: 'x' }), imageStep('b', '{{ steps.a.status }}')] }),
    );
    expect(wrong).toMatchObject({
      valid: false,
      problems: [{ path: 'steps.0.task', step_key: 'a' }],
      steps: [
        { key: 'a', needs: [] },
        { key: 'b', needs: ['a'] },
      ],
      estimate: null,
    });
    const definition = { ...createDefinition({ ...ask({ what: text }), steps: [imageStep('a', '{{ input.what }}')] }) };
    expect(await validate(definition)).toMatchObject({ valid: true, problems: [], estimate: null });
    expect(await validate({ ...definition, example_input: { what: 'x' } })).toMatchObject({
      valid: true,
      estimate: { amount_usd: '0.03' },
    });
    expect(await validate(definition, { what: '' })).toMatchObject({
      valid: false,
      problems: [{ path: 'input.what' }],
      estimate: null,
    });
    expect(await validate({})).toMatchObject({ valid: false, steps: [] });
  });
});

describe('the operator’s folder', () => {
  it('adds and replaces shipped starters; invalid files are logged and skipped', async () => {
    const folder = join(service.get().deps.config.dataDir, 'starters');
    await mkdir(folder);
    const put = (name: string, content: unknown) =>
      writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
    await put('good.json', { ...createDefinition({ steps: [imageStep('a', 'a')] }), slug: 'house-style' });
    await put('instead.json', {
      ...createDefinition({ steps: [imageStep('a', 'a')] }),
      slug: 'product-clip',
      name: 'Ours',
    });
    await put('later.json', { ...createDefinition({ steps: [imageStep('a', 'a')] }), slug: 'house-style' });
    await put('broken.json', createDefinition({ steps: [imageStep('a', '{{ input.z }}')] }));
    await put('text.json', '{ no json');
    await put('notes.txt', 'not a starter');
    const warnings: { file: string; problems: string[] }[] = [];
    const warn = (what: object) => warnings.push(what as (typeof warnings)[number]);
    const publicUrl = 'http://localhost:8787';
    const starter = await loadStarters({ startersDir: folder, publicUrl }, { warn, info: () => undefined }, readNames);
    expect(starter.map(({ source, workflow: { definition } }) => `${source} ${definition.slug}`).sort()).toEqual([
      'operator house-style',
      'operator product-clip',
      'shipped ideas-to-pictures',
      'shipped scene-posters',
      'shipped shot-list',
      'shipped talking-presenter',
    ]);
    expect(warnings.map(({ file, problems }) => [file.split('/').at(-1), problems])).toEqual([
      ['broken.json', ['steps.0.input.prompt: The input has no field “z”.']],
      ['later.json', ['slug: “house-style” is already used by another file.']],
      ['text.json', ['It is not JSON.']],
    ]);
    await expect(loadStarters({ startersDir: join(folder, 'nowhere'), publicUrl }, log, readNames)).rejects.toThrow(
      'STARTERS_DIR',
    );
  });
});

describe('funds', () => {
  it('402: a run whose certain cost is not covered', async () => {
    const organizationWithoutFunds = await service.createOrganization('0.10');
    const starter_slug = await saveStarter(organizationWithoutFunds, { steps: [searchStep('a', [], 50)] });
    const body = { starter_slug, input: {} };
    const { status, error } = await organizationWithoutFunds.callError('create_workflow_run', { body });
    expect([status, error.code, error.message]).toEqual([
      402,
      'insufficient_balance',
      'This needs $0.15, and $0.10 is available.',
    ]);
    expect((await organizationWithoutFunds.call('list_workflow_runs')).body.data).toEqual([]);
    expect(searchPrice(50)).toBe(150_000n);
    await organizationWithoutFunds.call('create_credit', { body: { amount_usd: '1', description: 'x' } });
    await organizationWithoutFunds.call('set_budget', { body: { key_id: null, limit_usd: '0.12', contact: 'Anna' } });
    const above = await organizationWithoutFunds.callError('create_workflow_run', { body });
    expect([above.status, above.error.message]).toEqual([402, expect.stringContaining('$0.12 is left of the $0.12')]);
  });
});
