import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { assets } from '#server/platform/db/schema/schema.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { openReview } from '#server/studio/generations/review/open-review.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { type Fetcher, createFetcher } from '#server/platform/net/fetcher.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { advanceRun } from './advance/advancer.ts';
import { requeueStalledRuns } from './advance/advancer.ts';
import { createCrashingDeps } from './testing/crash-points.ts';
import { listActiveGenerations, advanceAll, neverAborted } from './testing/advance-all.ts';
import { createQuickEngine } from './testing/quick-engine.ts';
import { searchStep } from './testing/search-steps.ts';
import {
  imageStep,
  getRun,
  saveStarter,
  startTestRun,
  stepStatuses,
  findStep,
  createDefinition,
} from './testing/workflow-fixture.ts';

const scripted = createScriptedEngine();
/** The files behind the links of a run. */
const fetcher: Fetcher = {
  ...createFetcher(),
  async assertReachable(url) {
    if (url === 'https://a.example/x.png') return;
    throw new OutboundError('bad_status', 'The server responded with status 404 instead of the file.');
  },
};
const service = useSharedService(() => ({ engines: [createQuickEngine(), scripted], fetcher }));
let organization: TestOrganization;
beforeEach(async () => {
  organization = await service.createOrganization('10');
});

const deps = () => service.get().deps;
const retry = async (id: string) =>
  (await organization.call('retry_workflow_run', { params: { workflow_run_id: id }, idempotency_key: `again ${id}` }))
    .body;
async function finish(id: string) {
  await advanceAll(deps(), id);
  return getRun(organization, id);
}

describe('a step in manual review', () => {
  const RESULT = { platform: 'social_c_shorts', query: 'a', count: 0, videos: [] };
  const steps = [searchStep('a', []), searchStep('b', ['a']), searchStep('c', [])];

  async function parked(): Promise<{ id: string; generation_id: string }> {
    const { id } = await startTestRun(organization, { steps });
    await advanceRun(deps(), id, neverAborted);
    const [generation_id = ''] = await listActiveGenerations(deps().db, id);
    const lease = await claimGeneration(deps(), generation_id);
    if (!lease) throw new Error('It was not free.');
    await openReview(deps(), lease, 'Nobody knows.', { outputs: [], data: RESULT, lengths: {} });
    const run = await finish(id);
    expect([run.status, run.completed_at, stepStatuses(run)]).toEqual([
      'manual_review',
      null,
      { a: 'manual_review', b: 'waiting', c: 'succeeded' },
    ]);
    return { id, generation_id };
  }
  const decide = (generation_id: string, decision: 'approve' | 'reject') =>
    organization.call('decide_review', { params: { generation_id }, body: { decision, note: 'Looked at it' } });

  it('suspends dependent steps until it is approved', async () => {
    const { id, generation_id } = await parked();
    const refused = await organization.callError('retry_workflow_run', {
      params: { workflow_run_id: id },
      idempotency_key: 'x',
    });
    expect([refused.status, refused.error.code]).toEqual([409, 'retry_not_allowed']);
    await decide(generation_id, 'approve');
    const run = await finish(id);
    expect([run.status, run.usage.amount_usd]).toEqual(['succeeded', '0.045']);
  });

  it('stops dependent steps when it is rejected', async () => {
    const { id, generation_id } = await parked();
    await decide(generation_id, 'reject');
    expect(stepStatuses(await finish(id))).toEqual({ a: 'failed', b: 'stopped', c: 'succeeded' });
  });

  it('can still be decided after the run was canceled', async () => {
    const { id, generation_id } = await parked();
    const params = { workflow_run_id: id };
    const { body } = await organization.call('cancel_workflow_run', { params, body: {} });
    expect([body.status, stepStatuses(body)]).toEqual([
      'canceled',
      { a: 'manual_review', b: 'canceled', c: 'succeeded' },
    ]);
    await decide(generation_id, 'approve');
    expect(await finish(id)).toMatchObject({ status: 'canceled', usage: { amount_usd: '0.03' } });
  });
});

describe('a step that can’t start fails with a reason', () => {
  it('when funds are missing, and runs on retry', async () => {
    organization = await service.createOrganization('0.05');
    const { id } = await startTestRun(organization, { steps: [searchStep('a', []), searchStep('b', ['a'], 10)] });
    await advanceRun(deps(), id, neverAborted);
    await organization.call('create_credit', { body: { amount_usd: '-0.02', description: 'Elsewhere' } });
    const run = await finish(id);
    expect(findStep(run, 'b').error).toEqual({
      code: 'insufficient_balance',
      message: 'This needs $0.03, and $0.015 is available.',
      retryable: true,
    });
    expect(run.error).toMatchObject({
      code: 'step_failed',
      message: '“b” failed: This needs $0.03, and $0.015 is available.',
      retryable: true,
    });
    const params = { workflow_run_id: id };
    expect((await organization.callError('retry_workflow_run', { params, idempotency_key: 'poor' })).status).toBe(402);
    await organization.call('create_credit', { body: { amount_usd: '1', description: 'More' } });
    const retried = await finish((await retry(id)).id);
    expect([retried.status, retried.usage.amount_usd]).toEqual(['succeeded', '0.03']);
  });

  it.each<[string, Partial<Parameters<typeof searchStep>[3]>, string, string]>([
    [
      'an expression fails',
      { input: { query: '{{ steps.a.status ? $error("No idea.") }}', platform: 'social_a' } },
      'expression_failed',
      'No idea.',
    ],
    ['a condition fails', { when: 'steps.a.output.data.count + "a"' }, 'expression_failed', 'can’t be evaluated'],
    [
      'the task does not take what comes out',
      { input: { query: 'a', platform: 'social_a', limit: '{{ steps.a.output.data.count }}' } },
      'invalid_request',
      'Number of results must be at least 1.',
    ],
    [
      'what it takes is missing',
      { input: { query: '{{ steps.a.output.data.videos[0].caption }}', platform: 'social_a' } },
      'invalid_request',
      'Search for is required.',
    ],
    [
      'a text can’t be stored',
      { input: { query: '{{ $eval("\\"a\\\\u0000\\"") }}', platform: 'social_a' } },
      'expression_failed',
      'This text contains a NUL character',
    ],
  ])('where %s', async (_what, more, code, message) => {
    const { id } = await startTestRun(organization, {
      steps: [searchStep('a', []), searchStep('b', ['a'], 5, more), searchStep('c', ['b'])],
    });
    const run = await finish(id);
    expect(stepStatuses(run)).toEqual({ a: 'succeeded', b: 'failed', c: 'stopped' });
    expect(findStep(run, 'b').error?.code).toBe(code);
    expect(findStep(run, 'b').error?.message).toContain(message);
  });

  it('when its list exceeds the limit of a run', async () => {
    const list = { for_each: '[1..50]', max_items: 50 };
    const { id } = await startTestRun(organization, {
      steps: ['a', 'b', 'c', 'd', 'e'].map((key) => searchStep(key, [], 1, { when: 'true', ...list })),
    });
    // Crashes before any of them is created.
    await expect(advanceRun(createCrashingDeps(deps(), 7, 'within').deps, id, neverAborted)).rejects.toThrow(
      'terminating',
    );
    const run = await getRun(organization, id);
    expect(run.steps.map(({ items, error }) => items?.length || error?.code)).toEqual([
      50,
      50,
      50,
      50,
      'list_too_long',
    ]);
    await organization.call('cancel_workflow_run', { params: { workflow_run_id: id }, body: {} });
  });

  it('and a run fails when its output can’t be built, and costs nothing on retry', async () => {
    const { id } = await startTestRun(organization, {
      steps: [searchStep('a', [])],
      output: { x: '{{ $error("Not so.") }}' },
    });
    const run = await finish(id);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'expression_failed' }, output: null });
    const retried = await retry(id);
    expect(retried.estimate?.amount_usd).toBe('0.00');
    expect(await finish(retried.id)).toMatchObject({ status: 'failed', usage: { amount_usd: '0.00' } });
  });
});

describe('a list with failed items', () => {
  const input_schema = { type: 'object', properties: { lines: { type: 'string' } }, required: ['lines'] };
  const shots = imageStep('shots', '{{ item }}', { for_each: '$split(input.lines, ",")' });

  it('is retried for failed items only', async () => {
    const { id } = await startTestRun(
      organization,
      { input_schema, steps: [shots, imageStep('z', 'z', { needs: ['shots'] })] },
      { lines: 'one,fail two,three' },
    );
    const run = await finish(id);
    expect(run.error?.message).toBe('“shots” failed for 1 of 3: The scripted engine was told to fail.');
    const before = scripted.jobs.length;
    const retried = await retry(id);
    expect(retried.estimate).toMatchObject({ amount_usd: '0.06', basis: 'exact' });
    expect(findStep(retried, 'shots').items?.map(({ kept: keptItems, label }) => [keptItems, label])).toEqual([
      [true, 'one'],
      [false, 'fail two'],
      [true, 'three'],
    ]);
    await finish(retried.id);
    expect(scripted.jobs.slice(before).map(({ input }) => input['prompt'])).toEqual(['fail two']);
  });

  it('runs items again whose files were deleted', async () => {
    const { id } = await startTestRun(
      organization,
      { input_schema, steps: [shots, imageStep('z', 'fail z')] },
      { lines: 'one,two' },
    );
    const run = await finish(id);
    const deleted = findStep(run, 'shots').items?.[0]?.generation_id ?? '';
    await deps().db.update(assets).set({ removed_at: deps().clock.now() }).where(eq(assets.generation_id, deleted));
    const retried = await retry(id);
    expect(findStep(retried, 'shots').items?.map(({ kept: keptItems }) => keptItems)).toEqual([false, true]);
  });
});

describe('runs', () => {
  it('are listed newest first, by page, starter, status, time and text', async () => {
    const slug = await saveStarter(organization, {
      name: 'Harbour',
      input_schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      steps: [searchStep('a', [])],
    });
    const ids: string[] = [];
    for (const what of ['gulls', '100%', 'nets']) {
      ids.unshift(
        (await organization.call('create_workflow_run', { body: { starter_slug: slug, input: { what } } })).body.id,
      );
      deps().clock.advance(1_000);
    }
    await finish(ids[0] ?? '');
    const list = async (query: Record<string, string | number>) =>
      (await organization.call('list_workflow_runs', { query })).body.data.map(({ id }) => id);
    expect(await list({})).toEqual(ids);
    expect(await list({ status: 'succeeded' })).toEqual([ids[0]]);
    expect(await list({ status: 'never heard of' })).toEqual([]);
    expect(await list({ starter_slug: slug })).toEqual(ids);
    expect(await list({ starter_slug: 'other' })).toEqual([]);
    expect(await list({ q: 'hARbour' })).toEqual(ids);
    expect(await list({ q: '%' })).toEqual([ids[1]]);
    expect(await list({ q: 'what' })).toEqual([]);
    const [, second] = (await organization.call('list_workflow_runs')).body.data;
    expect(await list({ created_after: second?.created_at ?? '' })).toEqual(ids.slice(0, 2));
    expect(await list({ created_before: second?.created_at ?? '' })).toEqual(ids.slice(2));
    const { body } = await organization.call('list_workflow_runs', { query: { limit: 2 } });
    expect(await list({ limit: 2, cursor: body.next_cursor ?? '' })).toEqual(ids.slice(2));
    for (const [query, status] of [
      [{ cursor: 'x' }, 400],
      [{ cursor: 'x'.repeat(1025) }, 422],
      [{ starter_slug: 'A b' }, 422],
      [{ limit: 201 }, 422],
    ] as const)
      expect((await organization.callError('list_workflow_runs', { query })).status).toBe(status);
  });

  it('are created once per Idempotency-Key, and rejected with a reason', async () => {
    const starter_slug = await saveStarter(organization, {
      input_schema: { type: 'object', properties: { it: { type: 'object', 'x-media': 'image' } }, required: ['it'] },
      steps: [searchStep('a', [])],
    });
    const body = { starter_slug, input: { it: { url: 'https://a.example/x.png' } } };
    const answers = await Promise.all(
      [1, 2, 3].map(() => organization.call('create_workflow_run', { body, idempotency_key: 'k' })),
    );
    expect(new Set(answers.map((response) => response.body.id)).size).toBe(1);
    const refuse = async (other: Record<string, unknown>, key?: string) => {
      const { status, error } = await organization.callError('create_workflow_run', {
        body: { ...body, ...other },
        ...(key ? { idempotency_key: key } : {}),
      });
      return [status, error.code, error.details?.[0]?.path];
    };
    expect(await refuse({ input: {} })).toEqual([422, 'invalid_request', 'input.it']);
    expect(await refuse({ input: { it: { url: 'https://b.example/x.png' } } }, 'k')).toEqual([
      409,
      'idempotency_conflict',
      undefined,
    ]);
    // A dead link is reported before anything is paid.
    expect(await refuse({ input: { it: { url: 'https://b.example/x.png' } } })).toEqual([
      400,
      'invalid_request',
      'input.it',
    ]);
    expect((await organization.call('list_workflow_runs')).body.data).toHaveLength(1);
    expect(await refuse({ starter_slug: 'nothing' })).toEqual([422, 'invalid_request', 'starter_slug']);
    expect(await refuse({ colour: 1 })).toEqual([422, 'invalid_request', 'colour']);
    const deleted = `${deps().config.publicUrl}/media/upl_01m7y6v0gyeg6ksk7hyezzk3qs`;
    expect(await refuse({ input: { it: { url: deleted } } })).toEqual([400, 'invalid_request', 'input.it']);
  });

  it('show from the start which steps are skipped', async () => {
    const steps = [
      searchStep('a', []),
      searchStep('off', ['a'], 10, { when: 'input.sound' }),
      searchStep('b', ['off']),
      searchStep('later', ['a'], 10, { when: 'input.sound or steps.a.output.data.count > 1' }),
    ];
    const input_schema = { type: 'object', properties: { sound: { type: 'boolean', default: false } }, required: [] };
    const { id, ...run } = await startTestRun(organization, { input_schema, steps });
    expect(stepStatuses({ id, ...run })).toEqual({ a: 'waiting', off: 'skipped', b: 'waiting', later: 'waiting' });
    const completed = await finish(id);
    expect([completed.status, stepStatuses(completed)['b']]).toEqual(['succeeded', 'succeeded']);
  });

  it('follow the retry rules when canceled or active', async () => {
    const { id } = await startTestRun(organization, { steps: [searchStep('a', [])] });
    const params = { workflow_run_id: id };
    const refuse = async (options: { idempotency_key?: string }) => {
      const { status, error } = await organization.callError('retry_workflow_run', { params, ...options });
      return [status, error.code];
    };
    expect(await refuse({})).toEqual([400, 'idempotency_key_required']);
    expect(await refuse({ idempotency_key: 'x' })).toEqual([409, 'retry_not_allowed']);
    expect((await organization.callError('cancel_workflow_run', { params })).status).toBe(422);
    expect(
      (await organization.callError('cancel_workflow_run', { params, body: { reason: 'x'.repeat(501) } })).status,
    ).toBe(422);
    await organization.call('cancel_workflow_run', { params, body: { reason: 'x'.repeat(500) } });
    const raced = await Promise.all(
      ['a', 'b', 'c'].map((idempotency_key) => organization.request('retry_workflow_run', { params, idempotency_key })),
    );
    expect(raced.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await refuse({ idempotency_key: 'z' })).toEqual([409, 'active_retry_exists']);
    const { body } = await organization.call('list_workflow_runs');
    const newest = body.data[0]?.id ?? '';
    expect(await finish(newest)).toMatchObject({ status: 'succeeded', retry_of: id });
    expect(await refuse({ idempotency_key: 'z' })).toEqual([409, 'retry_not_latest']);
  });

  it('are enqueued again when stalled, and not while work is active', async () => {
    deps().clock.advance(60_000);
    const before = await requeueStalledRuns(deps(), 30_000);
    await startTestRun(organization, { steps: [searchStep('a', [])] });
    const { id } = await startTestRun(organization, { steps: [searchStep('a', [])] });
    await advanceRun(deps(), id, neverAborted);
    expect(await requeueStalledRuns(deps(), 30_000)).toBe(before);
    deps().clock.advance(60_000);
    expect(await requeueStalledRuns(deps(), 30_000)).toBe(before + 1);
    await advanceAll(deps(), id);
  });
});

it('lists runs with what changed since the run before, and with a picture of the last step', async () => {
  const slug = await saveStarter(organization, {
    input_schema: {
      type: 'object',
      properties: { prompt: { type: 'string' }, look: { type: 'string' } },
      required: ['prompt', 'look'],
    },
    steps: [imageStep('a', '{{ input.prompt }} {{ input.look }}'), searchStep('b', ['a'])],
  });
  const start = async (input: Record<string, string>) => {
    const { id } = (await organization.call('create_workflow_run', { body: { starter_slug: slug, input } })).body;
    return finish(id);
  };
  const first = await start({ prompt: 'a boat', look: 'dry' });
  await start({ prompt: 'a boat', look: 'at night' });
  await start({ prompt: 'a boat', look: 'at night' });
  const { data } = (await organization.call('list_workflow_runs', { query: { starter_slug: slug } })).body;
  expect(data.map(({ changed_inputs }) => changed_inputs)).toEqual([[], ['look'], undefined]);
  expect(data.at(-1)?.preview).toMatchObject({ type: 'image', id: first.steps[0]?.assets?.[0]?.id });
});

it('drafts a workflow from the lineage of a generation', async () => {
  const make = async (body: Record<string, unknown>) => {
    const { id } = (await organization.call('create_generation', { body: body as never })).body;
    const { runGeneration } = await import('#server/studio/generations/run-generation.ts');
    await runGeneration(deps(), id, { shutdown: neverAborted });
    return (await organization.call('get_generation', { params: { generation_id: id } })).body;
  };
  const model = 'imgmodel-b-2';
  const first = await make({ task: 'image.create', model, input: { prompt: 'a boat', aspect_ratio: '16:9' } });
  const url = first.output.assets[0]?.url ?? '';
  const second = await make({
    task: 'image.edit',
    model,
    input: { prompt: 'at night', images: [{ url }, { url: 'https://a.example/x.png' }] },
  });
  const edit = async (prompt: string, source: typeof first) => {
    const images = [{ url: source.output.assets[0]?.url }];
    return make({ task: 'image.edit', model, input: { prompt, images } });
  };
  const last = await edit('with fog', await edit('at noon', first));
  const chain = (await organization.call('draft_workflow', { params: { generation_id: last.id } })).body.definition;
  expect(Object.keys(chain.input_schema['properties'] ?? {})).toEqual(['prompt', 'prompt_2', 'prompt_3']);
  expect(chain.steps.map(({ name }) => name)).toEqual([
    'Create an image · ImgModel B 2',
    'Edit an image · ImgModel B 2',
    'Edit an image · ImgModel B 2 2',
  ]);
  expect(chain.example_input).toEqual({ prompt: 'a boat', prompt_2: 'at noon', prompt_3: 'with fog' });
  const { body } = await organization.call('draft_workflow', { params: { generation_id: second.id } });
  expect(body.generation_ids).toEqual([first.id, second.id]);
  expect(body.definition).toMatchObject({
    input_schema: {
      properties: {
        prompt: { title: 'Create an image · ImgModel B 2: Prompt' },
        image: { title: 'Edit an image · ImgModel B 2: Images' },
        prompt_2: { title: 'Edit an image · ImgModel B 2: Prompt' },
      },
      required: ['prompt', 'image', 'prompt_2'],
    },
    example_input: { image: { url: 'https://a.example/x.png' }, prompt: 'a boat', prompt_2: 'at night' },
    output: { result: '{{ steps.edit.output.assets }}' },
    steps: [
      { key: 'image', task: 'image.create', input: { aspect_ratio: '16:9' } },
      {
        key: 'edit',
        task: 'image.edit',
        input: { images: ['{{ steps.image.output.assets[0] }}', '{{ input.image }}'] },
      },
    ],
  });
  const { slug } = (
    await organization.call('create_workflow_starter', {
      body: { ...createDefinition(body.definition), slug: 'again' },
    })
  ).body;
  const input = body.definition.example_input ?? {};
  const run = await organization.call('create_workflow_run', {
    body: { starter_slug: slug, input: { ...input, image: { url } } },
  });
  const completed = await finish(run.body.id);
  expect([completed.status, completed.steps.map(({ status }) => status)]).toEqual([
    'succeeded',
    ['succeeded', 'succeeded'],
  ]);
  expect(scripted.jobs.slice(-2).map((job) => job.input['prompt'])).toEqual(['a boat', 'at night']);
});
