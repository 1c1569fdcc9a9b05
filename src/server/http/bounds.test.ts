import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiErrorResponse } from '#contract/api/errors.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService({
    engines: [createScriptedEngine()],
    config: { rateLimitPerMinute: 10_000, publicRateLimitPerMinute: 10_000 },
  });
  headers = { 'content-type': 'application/json', authorization: `Bearer ${service.keys.member}` };
});
afterAll(() => service.close());

const image = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse' } };
let headers: Record<string, string>;
const send = async (url: string, payload: string) => {
  const response = await service.app.inject({ method: 'POST', url, payload, headers });
  return { ...response.json<ApiErrorResponse>(), status: response.statusCode, bytes: response.rawPayload.length };
};
const unknownKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, at]));

describe('error details', () => {
  it('have 20 rows, and the message says how many problems there are', async () => {
    const { status, error } = await service.callError('create_estimate', {
      body: { ...image, input: unknownKeys(1_234) },
    });
    expect(status).toBe(422);
    expect(error.details).toHaveLength(20);
    expect(error.message).toContain('There are 1,235 problems; the first 20 are listed.');
  });

  it('have a row for each of up to 20 problems', async () => {
    const { error } = await service.callError('create_estimate', { body: { ...image, input: unknownKeys(19) } });
    expect(error.details).toHaveLength(20);
    expect(error.message).not.toContain('problems');
  });

  it('shorten names from the request', async () => {
    const { error } = await service.callError('create_estimate', {
      body: { ...image, input: { ...image.input, ['x'.repeat(10_000)]: 1 } },
    });
    expect(error.details?.[0]?.path).toBe(`input.${'x'.repeat(80)}`);
  });
});

describe('bodies', () => {
  it('of more than 10,000 values are rejected before parsing', async () => {
    const { status, error, bytes } = await send(
      '/v1/generations',
      JSON.stringify({ ...image, input: unknownKeys(30_000) }),
    );
    expect([status, error.code, error.message]).toEqual([
      400,
      'invalid_request',
      'This contains more than 10,000 values.',
    ]);
    expect(bytes).toBeLessThan(1_000);
    expect((await send('/v1/generations', '['.repeat(500_000))).error.message).toContain('10,000 values');
  });

  it('ignore commas and brackets inside strings when counting values', async () => {
    const prompt = '\\",[{'.repeat(4_000);
    expect((await send('/v1/estimate', JSON.stringify({ ...image, input: { prompt } }))).status).toBe(200);
  });

  it('of endpoints without a key are limited to 256 KiB', async () => {
    const padded = (bytes: number) => JSON.stringify(image).padEnd(bytes);
    expect((await send('/v1/estimate', padded(262_144))).status).toBe(200);
    const { status, error } = await send('/v1/estimate', padded(262_145));
    expect([status, error.code]).toEqual([413, 'invalid_request']);
    expect(
      (await service.app.inject({ method: 'POST', url: '/v1/generations', payload: padded(262_145), headers }))
        .statusCode,
    ).toBe(201);
  });

  it.each([
    ['Latin', 'é'],
    ['Chinese', '光'],
    ['characters of four bytes', '🗼'],
  ])('hold a prompt of 32,000 characters: %s', async (_, character) => {
    const body = { ...image, input: { prompt: character.repeat(32_000) } };
    expect((await service.call('create_estimate', { body })).status).toBe(200);
  });

  it('can hold a prompt of 32,000 escaped characters', async () => {
    const body = JSON.stringify({ ...image, input: { prompt: '@' } }).replace('@', '\\u5149'.repeat(32_000));
    expect((await send('/v1/estimate', body)).status).toBe(200);
  });
});

describe('query parameters', () => {
  it.each([
    'list_ledger',
    'get_ledger_sums',
    'list_generations',
    'list_media',
    'list_uploads',
    'list_workflow_runs',
  ] as const)('that %s does not take are refused by name, empty or not', async (name) => {
    for (const value of ['key_01', '']) {
      const { status, error } = await service.callError(name, { query: { key: value } });
      expect([status, error.details]).toEqual([422, [{ path: 'key', message: 'Unknown field “key”.' }]]);
    }
  });

  it.each(['export_ledger', 'export_statement', 'export_margin'] as const)(
    'that %s does not know export nothing',
    async (name) => {
      expect((await service.callError(name, { query: { key: '' } })).status).toBe(422);
    },
  );

  it('are ignored by the public catalog', async () => {
    for (const name of ['list_tasks', 'list_models', 'get_pricing'] as const) {
      expect((await service.call(name, { query: { key: 'x' } })).status).toBe(200);
    }
  });
});

describe('an estimate', () => {
  const trim = (times: object) => ({
    body: { task: 'video.trim', input: { video: { url: 'https://media.example/a.mp4' }, ...times } },
  });

  it('rejects an end that is not after the start, as create does', async () => {
    for (const times of [
      { end_seconds: 2, start_seconds: 2 },
      { end_seconds: 1, start_seconds: 2 },
      { end_seconds: 0 },
    ]) {
      const [estimate, create] = await Promise.all([
        service.callError('create_estimate', trim(times)),
        service.callError('create_generation', trim(times)),
      ]);
      expect(estimate.status).toBe(400);
      expect({ ...estimate.error, request_id: '' }).toEqual({ ...create.error, request_id: '' });
    }
    expect((await service.call('create_estimate', trim({ end_seconds: 2 }))).status).toBe(200);
  });
});
