import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE_PERMISSIONS, ROLES, type Role } from '#contract/permissions.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { COMPAT_ADAPTERS } from './compat-adapters.ts';

const ROWS = COMPAT_ADAPTERS.flatMap(({ prefix, rows }) =>
  rows.map((row) => ({ ...row, url: `${prefix}${row.path}` })),
);

const ORIGIN = 'https://app.example.com';

let service: TestService;
const sessions = new Map<Role, string>();
beforeAll(async () => {
  service = await createTestService({
    engines: [createScriptedEngine()],
    config: { rateLimitPerMinute: 10_000, publicRateLimitPerMinute: 10_000, allowedOrigins: [ORIGIN] },
  });
  for (const role of ROLES) sessions.set(role, (await service.addPerson(role)).session);
});
afterAll(() => service.close());

/** Parameters are an id that nothing has. */
const request = ({ method, url }: (typeof ROWS)[number], headers: Record<string, string>) =>
  service.app.inject({ method, url: url.replace(/:\w+|\*$/g, '00000000000000000000000000'), headers });

describe.each(ROLES)('a person with the role %s', (role) => {
  it.each(ROWS)('is let through to $method $url exactly with the permission $permission', async (row) => {
    const response = await request(row, { authorization: `Bearer ${sessions.get(role)}` });
    expect(response.statusCode === 401).toBe(!ROLE_PERMISSIONS[role].includes(row.permission));
  });
});

it.each(ROWS)('$method $url takes no cookie and no unknown key', async (row) => {
  const cookie = `emulsion_session=${sessions.get('administrator')}`;
  expect((await request(row, { cookie })).statusCode).toBe(401);
  expect((await request(row, { authorization: 'Bearer unknown' })).statusCode).toBe(401);
});

it.each(COMPAT_ADAPTERS)('$name can be called from a page of an allowed origin', async ({ prefix, cors }) => {
  const response = await service.app.inject({
    method: 'OPTIONS',
    url: `${prefix}/any`,
    headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
  });
  const allowed = String(response.headers['access-control-allow-headers']).toLowerCase().split(', ');
  expect(response.headers['access-control-allow-origin']).toBe(ORIGIN);
  expect(allowed).toEqual(expect.arrayContaining(['authorization', 'x-emulsion-tags', ...cors.allowed]));
});

it('a key that is limited to a model lists no other', async () => {
  const scopes = { tasks: null, models: ['imgmodel-b-2'], read_only: false };
  const { body } = await service.call('create_api_key', { body: { name: 'B', kind: 'organization', scopes } });
  const read = async (url: string) => {
    const response = await service.app.inject({ url, headers: { authorization: `Bearer ${body.key}` } });
    return response.json<{ data?: { id: string }[]; results?: { name: string }[] }>();
  };
  const ids = (await read('/compat/openai/v1/models')).data?.map(({ id }) => id) ?? [];
  expect(ids).toEqual(expect.arrayContaining(['imgmodel-b-2', 'fal-ai/nano-banana-2']));
  expect(ids.filter((id) => id.includes('model') || id.includes('gpt'))).toEqual(['imgmodel-b-2']);
  const models = (await read('/compat/replicate/v1/models')).results?.map(({ name }) => name);
  // Tools have no model.
  expect(models?.filter((name) => !/^(?:video|social|image)\./.test(name))).toEqual(['nano-banana-2']);
});

it('a body as large as a file counts as an upload of its key', async () => {
  const { maxJsonBytes, maxOpenUploadBytes } = service.deps.config;
  Object.assign(service.deps.config, { maxJsonBytes: 1_000, maxOpenUploadBytes: 8_000 });
  const send = (image_url: string) =>
    service.app.inject({
      method: 'POST',
      url: '/compat/fal/run/emulsion/unknown',
      headers: { authorization: `Key ${service.keys.organization}` },
      payload: { image_url },
    });
  const file = (characters: number) => `data:image/png;base64,${'A'.repeat(characters)}`;
  expect((await send(file(6_000))).statusCode).toBe(404);
  const response = await send(file(9_000));
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '30']);
  Object.assign(service.deps.config, { maxJsonBytes, maxOpenUploadBytes });
});
