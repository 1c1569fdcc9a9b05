import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { endpoints, type EndpointName } from '#contract/api/endpoints.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { COMPAT_ADAPTERS } from './compat/compat-adapters.ts';

const MAX_ANSWER_BYTES = 65_536;
/** Below the limit of public bodies. */
const LONG = 'x'.repeat(100_000);
const MEGABYTE = 'y'.repeat(1_000_000);
const ID = '00000000000000000000000000';

let service: TestService;
beforeAll(async () => {
  service = await createTestService({
    engines: [createScriptedEngine()],
    config: { rateLimitPerMinute: 10_000, publicRateLimitPerMinute: 10_000 },
  });
});
afterAll(() => service.close());

interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  payload?: string;
  headers?: Record<string, string>;
}

async function expectShort({ method = 'POST', url, payload, headers = {} }: Request): Promise<void> {
  const response = await service.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${service.keys.organization}`, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  expect(response.statusCode).toBeGreaterThanOrEqual(400);
  expect(response.statusCode).toBeLessThan(500);
  expect(response.rawPayload.length, url).toBeLessThan(MAX_ANSWER_BYTES);
}

const sendJson = (url: string, body: unknown, method: Request['method'] = 'POST') =>
  expectShort({ method, url, payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

const sendForm = (url: string, part: string) =>
  expectShort({
    url,
    payload: `--x\r\nContent-Disposition: form-data; ${part}\r\n\r\n1\r\n--x--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });

const manyLong = Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`${at}${'é'.repeat(4_000)}`, at]));

const names = (Object.keys(endpoints) as EndpointName[]).filter((name) => {
  const { body, method }: EndpointSpec = endpoints[name];
  return body !== undefined && body !== 'multipart' && method !== 'GET';
});

it.each(names)('%s repeats no long name of a body', async (name) => {
  const { path, method }: EndpointSpec = endpoints[name];
  const url = path.replaceAll(/\{\w+\}/g, ID);
  await sendJson(url, { [LONG]: 1, ...manyLong }, method);
});

it.each((Object.keys(endpoints) as EndpointName[]).filter((name) => 'query' in endpoints[name]))(
  '%s repeats no long name of a query',
  async (name) => {
    const { path, method }: EndpointSpec = endpoints[name];
    await expectShort({ method, url: `${path.replaceAll(/\{\w+\}/g, ID)}?${LONG}=1` });
  },
);

describe.each(COMPAT_ADAPTERS)('$name', ({ prefix, rows }) => {
  const model = { openai: 'imgmodel-a-2', fal: 'emulsion/imgmodel-a-2', replicate: 'openai/gpt-image-2' };
  it.each(rows)('$method $path repeats no long name', async ({ method, path, reads }) => {
    const url = `${prefix}${path.replaceAll(/:\w+/g, ID).replace('*', model.fal)}`;
    if (method === 'GET') {
      const list = await service.app.inject({
        url: `${url}?${LONG}=1`,
        headers: { authorization: `Bearer ${service.keys.organization}` },
      });
      expect(list.rawPayload.length).toBeLessThan(MAX_ANSWER_BYTES);
      return;
    }
    await expectShort({ method, url: `${url}${MEGABYTE}` });
    if (reads === undefined) return;
    const prompt = 'a lighthouse';
    for (const body of [
      { model: model.openai, prompt, [MEGABYTE]: 1 },
      { model: MEGABYTE, prompt, input: prompt },
      { version: model.replicate, input: { prompt, [MEGABYTE]: 1 } },
      { model: model.openai, prompt, image: { image_url: 1, [MEGABYTE]: 1 } },
      { version: MEGABYTE, input: { [LONG]: 1 } },
    ])
      await sendJson(url, body);
  });
});

it.each(['/compat/openai/v1/images/edits', '/compat/replicate/v1/files', '/v1/uploads'])(
  '%s repeats no long name of a form',
  async (url) => {
    for (const part of [`name="${LONG}"`, `name="${LONG}"; filename="a.png"`, `name="image"; filename="${LONG}"`])
      await sendForm(url, part);
  },
);

describe('MCP', () => {
  const call = (message: Record<string, unknown>) =>
    service.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: {
        authorization: `Bearer ${service.keys.organization}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });

  it.each(['list_generations', 'get_generation', 'create_image', 'create_estimate', 'wait_for_generation', LONG])(
    'repeats no long name of an argument, nor of a tool',
    async (name) => {
      for (const args of [{ [LONG]: 1 }, { generation_id: ID, [LONG]: 1, ...manyLong }, { generation_id: LONG }]) {
        const answer = await call({ method: 'tools/call', params: { name, arguments: args } });
        expect(answer.rawPayload.length).toBeLessThan(MAX_ANSWER_BYTES);
      }
    },
  );

  it('repeats no long method, parameter or id', async () => {
    for (const message of [
      { method: LONG },
      { method: 'tools/list', params: { [LONG]: 1, cursor: { [LONG]: 1 } } },
      { method: 'tools/call', params: { name: { [LONG]: 1 }, arguments: LONG } },
      { method: 'tools/call', params: { name: 'get_me', _meta: { progressToken: LONG, [LONG]: { [LONG]: 1 } } } },
      { method: 'tools/list', id: LONG },
      { [LONG]: 1 },
    ])
      expect((await call(message)).rawPayload.length, Object.keys(message).join().slice(0, 50)).toBeLessThan(
        MAX_ANSWER_BYTES,
      );
  });
});
