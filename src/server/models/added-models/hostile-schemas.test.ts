import { beforeEach, expect, it } from 'vitest';
import { falDocument } from '#contract/added-models/testing/fal-document.ts';
import type { FakeFalModel } from '#server/models/providers/fal/testing/fake-fal-models.ts';
import { FAKE_FAL_MODELS } from '#server/models/providers/fal/testing/fake-fal-models.ts';
import { useChangingModels } from './testing/changing-models-fixture.ts';

const ADDRESS = 'acme/speech';
const MAX_PROCESSOR_MS = 5_000;
const fixture = useChangingModels();
let provider_id: string;
beforeEach(async () => {
  fixture.record.models = FAKE_FAL_MODELS;
  provider_id ??= (await fixture.service.call('list_model_providers')).body.data[0]?.id ?? '';
});

/** Inspects a document of the provider over HTTP, which must not take much processor time. */
async function inspect(document: unknown, change: Partial<FakeFalModel> = {}) {
  fixture.changeAtProvider(ADDRESS, { document, ...change });
  const before = process.cpuUsage();
  const response = await fixture.service.request('inspect_model', { body: { provider_id, address: ADDRESS } });
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(MAX_PROCESSOR_MS);
  return response;
}
async function readForm(properties: Record<string, unknown>, schemas: Record<string, unknown> = {}) {
  const response = await inspect(falDocument({ text: { type: 'string' }, ...properties }, { schemas }));
  return 'body' in response ? response.body : expect.fail(JSON.stringify(response.error));
}

function nest(depth: number): unknown {
  let schema: unknown = { type: 'string' };
  for (let level = 0; level < depth; level += 1) schema = { type: 'object', properties: { a: schema } };
  return schema;
}
/** Each schema names the next one twice: 2^n values once they are inlined. */
const DOUBLING = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => {
    const next = { $ref: `#/components/schemas/S${index + 1}` };
    return [`S${index}`, { type: 'object', properties: { a: next, b: next } }];
  }),
);

it.each([
  ['too many values', falDocument({ text: { enum: Array.from({ length: 60_000 }, (_, index) => `v${index}`) } })],
  ['more bytes than are read', falDocument({ text: { type: 'string', description: 'x'.repeat(12_000_000) } })],
  ['too many fields', falDocument(Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`f${i}`, {}])))],
  ['too many levels', falDocument({ deep: nest(2_000) })],
  ['references that double', falDocument({ a: { $ref: '#/components/schemas/S0' } }, { schemas: DOUBLING })],
  ['no paths', { components: { schemas: { Input: { type: 'object' } } } }],
  ['no object', 'a text'],
  ['null', null],
  [
    'a reference to itself as input',
    falDocument({}, { schemas: { LoopRequest: { $ref: '#/components/schemas/LoopRequest' } } }),
  ],
])('a document with %s gets an error or a bounded form', async (_what, document) => {
  const response = await inspect(document);
  if ('body' in response) {
    expect(response.body.contract.fields.length).toBeLessThanOrEqual(121);
    expect(JSON.stringify(response.body).length).toBeLessThan(2_000_000);
  } else {
    expect([400, 422, 503]).toContain(response.status);
    expect(response.error.message).toMatch(/^[^<>]{10,300}\.$/);
  }
});

it('leaves to the JSON field what is too deep, recursive or elsewhere', async () => {
  const { contract, advanced } = await readForm(
    {
      deep: nest(26),
      recursive: { $ref: '#/components/schemas/Node' },
      missing: { $ref: '#/components/schemas/None' },
      outside: { $ref: 'https://evil.test/schema.json' },
    },
    { Node: { type: 'object', properties: { child: { $ref: '#/components/schemas/Node' } } } },
  );
  expect(contract.fields.map(({ name }) => name)).toEqual(['text', 'advanced']);
  expect(advanced?.names).toEqual(['deep', 'recursive', 'missing', 'outside']);
  expect(Object.values(advanced?.reasons ?? {}).every((reason) => reason.endsWith('.'))).toBe(true);
});

it('runs no regular expression of a schema', async () => {
  const { contract } = await readForm({ code: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(40)}!` } });
  expect(JSON.stringify(contract)).not.toContain('(a+)+');
});

it('keeps HTML and control characters of texts as plain, short text', async () => {
  const html = '<img src=x onerror=alert(1)>';
  const response = await inspect(
    falDocument({ text: { type: 'string', title: `${html}\u202e\u0000\n`.repeat(200), description: html } }),
    { name: `${html}\u001b[31m`, description: 'x\u0000'.repeat(5_000) },
  );
  if (!('body' in response)) return expect.fail(JSON.stringify(response.error));
  const { name, description, contract } = response.body;
  expect(contract.fields[0]?.label.length).toBeLessThanOrEqual(60);
  expect(name.length).toBeLessThanOrEqual(60);
  for (const text of [name, description ?? '', contract.fields[0]?.label ?? '', contract.fields[0]?.help ?? ''])
    expect(text).not.toMatch(/[\p{Cc}\u202e]/u);
});

it('has no field with a name that objects have a use for, and takes the others as names', async () => {
  const properties = JSON.parse(
    '{"__proto__": {"type": "string"}, "constructor": {"type": "string"}, "toString": {"enum": ["a", "b"]}}',
  ) as Record<string, unknown>;
  const { contract, hash, suggested } = await readForm(properties, JSON.parse('{"__proto__": {"polluted": true}}'));
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.prototype.toString.call({})).toBe('[object Object]');
  expect(contract.fields.map(({ name }) => name)).toEqual(['text', 'toString']);
  const body = { provider_id, address: ADDRESS, hash, name: 'Prototype', task: suggested.task, price: suggested.price };
  if (!body.price) return expect.fail('no price');
  const created = await fixture.service.request('create_added_model', { body: { ...body, price: body.price } });
  if (!('body' in created)) return expect.fail(JSON.stringify(created.error));
  const params = { model_id: created.body.id };
  await fixture.service.call('update_added_model', { params, body: { state: 'published' } });
  const estimate = (input: unknown) =>
    fixture.service.request('create_estimate', {
      body: { task: suggested.task, model: created.body.id, input: input as Record<string, unknown> },
    });
  expect((await estimate({ text: 'a', toString: 'a' })).status).toBe(200);
  expect((await estimate(JSON.parse('{"text": "a", "__proto__": {"polluted": true}}'))).status).toBe(422);
});
