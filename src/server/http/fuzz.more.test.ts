import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { type EndpointName, endpoints } from '#contract/api/endpoints.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { findContractProblem } from '#server/app/testing/test-client.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60);
const served = Object.keys(endpoints) as EndpointName[];
const WORKFLOW = {
  slug: 'known',
  name: 'Known',
  input_schema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
  example_input: { what: 'x' },
  steps: [
    { key: 'a', name: 'A', task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'a {{ input.what }}' } },
    {
      key: 'b',
      name: 'B',
      task: 'image.edit',
      model: 'imgmodel-b-2',
      needs: ['a'],
      when: 'input.what != "y"',
      for_each: 'steps.a.output.assets',
      max_items: 3,
      input: { prompt: 'b', images: ['{{ item }}'] },
    },
  ],
  output: { pictures: '{{ steps.b.output.assets }}' },
};

let service: TestService;
let known: Record<string, string>;
beforeAll(async () => {
  service = await createTestService({
    engines: [createScriptedEngine()],
    config: { rateLimitPerMinute: 1_000_000, publicRateLimitPerMinute: 1_000_000 },
  });
  const { body } = await service.call('create_generation', {
    body: { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'x' } },
  });
  const { body: key } = await service.call('create_api_key', { body: { name: 'x', kind: 'member' } });
  await service.call('create_workflow_starter', { body: WORKFLOW });
  const run = { starter_slug: WORKFLOW.slug, input: { what: 'x' } };
  const { body: workflow_run } = await service.call('create_workflow_run', { body: run });
  const batch = { mode: 'list', orders: [{ task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'x' } }] };
  const batch_id = (await service.call('create_batch', { body: batch })).body.id;
  known = { batch_id, generation_id: body.id, key_id: key.id, slug: WORKFLOW.slug, workflow_run_id: workflow_run.id };
  await seedWebhook();
});

async function seedWebhook(): Promise<void> {
  const body = { url: 'https://93.184.216.34/hooks', events: ['generation.failed'] };
  const endpoint_id = (await service.call('create_webhook_endpoint', { body })).body.id;
  const delivery = (await service.call('test_webhook_endpoint', { params: { endpoint_id } })).body;
  known = { ...known, endpoint_id, delivery_id: delivery.id };
}

afterAll(() => service.close());

/** A valid body for each endpoint, which the fuzzer mutates. */
const SAMPLES: Partial<Record<EndpointName, unknown[]>> = {
  create_estimate: [
    { task: 'video.create', model: 'vidmodel-c-2', input: { prompt: 'a lighthouse', duration_seconds: 5 } },
    {
      task: 'video.lipsync',
      model: 'lipsync-v3',
      input: { video: { url: 'https://a.example/v.mp4' }, audio: { url: 'https://a.example/a.mp3' } },
    },
    { task: 'social.search', input: { platform: 'social_a', query: 'cats', published_after: '2026-01-01T00:00:00Z' } },
  ],
  create_generation: [
    {
      task: 'image.create',
      model: 'imgmodel-a-2',
      input: { prompt: 'a lighthouse', reference_images: [{ url: 'https://a.example/x.png' }] },
      metadata: { a: 'b' },
    },
    {
      task: 'video.trim',
      model: null,
      input: { video: { url: 'https://a.example/v.mp4' }, start_seconds: 1, end_seconds: 2 },
    },
  ],
  create_api_key: [{ name: 'Anna', kind: 'member' }],
  delete_media: [{ ids: ['upl_01m7y6v0gyeg6ksk7hyezzk3qs'], dry_run: true }],
  rename_media: [{ name: 'Harbour' }],
  archive_media: [{ ids: ['upl_01m7y6v0gyeg6ksk7hyezzk3qs'] }],
  decide_review: [{ decision: 'approve', note: 'Fine', upload_ids: ['upl_01m7y6v0gyeg6ksk7hyezzk3qs'] }],
  create_webhook_endpoint: [{ url: 'https://93.184.216.34/hooks', events: ['generation.succeeded'] }],
  recover_webhook_endpoint: [{ since: '2026-01-01T00:00:00Z' }],
  create_refund: [{ generation_id: 'gen_01m7y6v0gyeg6ksk7hyezzk3qs', amount_usd: '0.01', reason: 'Blurred' }],
  set_budget: [{ key_id: null, limit_usd: '1000000', warn_at_percent: 90, contact: 'Anna' }],
  reprice_spending: [
    {
      from: '2026-01-01T00:00:00Z',
      to: '2027-01-01T00:00:00Z',
      task: 'image.create',
      change: { model: 'imgmodel-b-2', input: { prompt: 'x' } },
    },
  ],
  create_credit: [{ amount_usd: '1.50', description: 'Thanks' }],
  create_batch: [
    {
      mode: 'together',
      orders: [
        { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a' } },
        { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'b' }, metadata: { a: 'b' } },
      ],
    },
    {
      mode: 'list',
      name: 'Two',
      stop_at_usd: '0.05',
      metadata: { a: 'b' },
      orders: [{ task: 'social.search', input: { platform: 'social_a', query: 'cats' } }],
    },
  ],
  estimate_batch: [{ orders: [{ task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a' } }] }],
  resume_batch: [{ stop_at_usd: '1' }],
  cancel_batch: [{ cancel_running: true }],
  create_workflow_run: [{ starter_slug: WORKFLOW.slug, input: { what: 'x' } }],
  cancel_workflow_run: [{ reason: 'Not wanted' }],
  retry_workflow_run: [{ inputs: { what: 'y' } }],
  estimate_workflow_run_retry: [{ inputs: { what: 'y' } }],
  create_workflow_starter: [WORKFLOW],
  update_workflow_starter: [WORKFLOW],
  estimate_workflow: [{ input: { what: 'x' } }],
  validate_workflow: [{ definition: WORKFLOW, input: { what: 'x' } }],
};

const NASTY = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  '../..',
  "'; drop table api_keys; --",
  '%00',
  '😀'.repeat(50),
  '１２',
  'https://@x/',
  'NaN',
  '-0',
];
const nastyText = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 300 }),
);
const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom(null, true, -1, 0, 1e308, 2 ** 60, -1e-7, [], {}, [[]], [null], { url: {} }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Replaces or adds a value anywhere. */
const broken = (sample: unknown): fc.Arbitrary<unknown> => {
  const places = placesOf(sample);
  return fc
    .tuple(fc.constantFrom(...places), nastyValue, nastyText, fc.boolean())
    .map(([place, value, key, adds]) => replaced(sample, adds ? [...place, key] : place, value));
};

function placesOf(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, child]) => placesOf(child, [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((child: unknown, index) => (String(index) === key ? replaced(child, rest, by) : child));
  const object = typeof value === 'object' && value !== null ? value : {};
  return Object.fromEntries([...Object.entries(object), [key, replaced(Reflect.get(object, key), rest, by)]]);
}

const RAW = [
  '',
  '{',
  '[]',
  'null',
  '0',
  '"x"',
  '{"task":1e400,"input":{}}',
  '{"__proto__":{"task":"image.create"},"input":{}}',
  '{"constructor":{"prototype":{"a":1}}}',
  `{"input":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  `{"task":"image.create","input":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
  '{"task":"image.create","task":"video.trim","input":{}}',
  '{"task":"\\u0000","input":{"\\u0000":"\\ud800"}}',
];

const payloadOf = (name: EndpointName): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...RAW) },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
    ...(SAMPLES[name] ?? []).map((sample) => ({
      weight: 4,
      arbitrary: broken(sample).map((value) => JSON.stringify(value) ?? ''),
    })),
  );

const paramOf = (name: string) =>
  fc.oneof(
    fc.constant(known[name] ?? 'upl_unknown'),
    nastyText.filter((text) => text !== '' && text.isWellFormed() && !/^\.\.?$/.test(text)),
  );
const QUERY_NAMES = [
  'limit',
  'cursor',
  'status',
  'task',
  'model',
  'type',
  'origin',
  'favourite',
  'depth',
  'created_after',
  'created_before',
  'q',
  'from',
  'to',
  'generation_id',
  'key_id',
  'by',
  'month',
  '__proto__',
  'starter_slug',
  'what',
];
const queryOf = fc.array(
  fc.tuple(
    fc.constantFrom(...QUERY_NAMES),
    nastyText.map((text) => text.toWellFormed()),
  ),
  { maxLength: 4 },
);

describe.each(served)('%s', (name) => {
  it('responds to any input with a status and code of the contract, without internal details', async () => {
    const spec: EndpointSpec = endpoints[name];
    const places = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param);
    // There is one regardless of earlier deletions.
    if (places.includes('endpoint_id') || places.includes('delivery_id')) await seedWebhook();
    const requests = fc.record({
      params: fc.tuple(...places.map((param) => fc.constant(null).chain(() => paramOf(param)))),
      query: queryOf,
      payload: payloadOf(name),
      type: fc.constantFrom(
        'application/json',
        'application/json',
        'application/json',
        'text/plain',
        'multipart/form-data; boundary=x',
        ';',
      ),
      idempotency_key: fc.option(fc.constantFrom('a', 'b', '', 'x'.repeat(300), 'tab\tkey'), { nil: undefined }),
      key: fc.constantFrom(
        ...Object.values(service.keys),
        service.keys.organization,
        service.keys.organization,
        'nonsense',
      ),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ params, query, payload, type, idempotency_key, key }) => {
        let place = 0;
        const path = spec.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(params[(place += 1) - 1] ?? ''));
        const response = await service.app.inject({
          method: spec.method,
          url: `${path}?${new URLSearchParams(query).toString()}`,
          headers: {
            authorization: `Bearer ${key}`,
            ...(spec.method === 'GET' ? {} : { 'content-type': type }),
            ...(idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key }),
          },
          ...(spec.method === 'GET' ? {} : { payload }),
        });
        expect(response.statusCode).toBeLessThan(500);
        expect(findContractProblem(name, response.statusCode, response.payload)).toBeNull();
        expect(response.payload).not.toMatch(/node_modules|\.ts:\d|select .* from|drizzle|postgres/i);
      }),
      { numRuns: RUNS },
    );
  });
});
