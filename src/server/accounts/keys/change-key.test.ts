import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let service: TestService;
let member: { person: { id: string }; session: string };
beforeAll(async () => {
  service = await createTestService({ engines: [createScriptedEngine()] });
  member = await service.addPerson('member', 'Mia');
});
afterAll(() => service.close());

const HOUR_MS = 3_600_000;
const create = async (body: Record<string, unknown>, key?: string): Promise<ApiKeyCreated> =>
  (await service.call('create_api_key', { body: { name: 'Import', kind: 'member', ...body }, ...(key ? { key } : {}) }))
    .body;
const works = async (key: string) => (await service.request('get_me', { key })).status;
const generate = (key: string, model: string) =>
  service.request('create_generation', { key, body: { task: 'image.create', model, input: { prompt: 'a' } } });
const inHours = (hours: number) => new Date(service.deps.clock.now().getTime() + hours * HOUR_MS).toISOString();

describe('rotation', () => {
  it('keeps the id, and the previous secret for the overlap', async () => {
    const { id, key } = await create({});
    const { body: rotated } = await service.call('rotate_api_key', {
      params: { key_id: id },
      body: { overlap_hours: 2 },
    });
    expect(rotated).toMatchObject({ id, last_four: rotated.key.slice(-4), previous_valid_until: inHours(2) });
    expect([await works(key), await works(rotated.key)]).toEqual([200, 200]);
    service.deps.clock.advance(2 * HOUR_MS);
    expect([await works(key), await works(rotated.key)]).toEqual([401, 200]);
  });

  it('ends the previous secret at once without an overlap, and the one before with the next rotation', async () => {
    const { id, key } = await create({});
    const rotate = async (overlap_hours: number) =>
      (await service.call('rotate_api_key', { params: { key_id: id }, body: { overlap_hours } })).body.key;
    const second = await rotate(24);
    const third = await rotate(24);
    expect([await works(key), await works(second), await works(third)]).toEqual([401, 200, 200]);
    const fourth = await rotate(0);
    expect([await works(third), await works(fourth)]).toEqual([401, 200]);
  });

  it('revokes both secrets', async () => {
    const { id, key } = await create({});
    const { body } = await service.call('rotate_api_key', { params: { key_id: id }, body: {} });
    await service.call('delete_api_key', { params: { key_id: id } });
    expect([await works(key), await works(body.key)]).toEqual([401, 401]);
    const again = await service.callError('rotate_api_key', { params: { key_id: id }, body: {} });
    expect(again.status).toBe(404);
  });
});

describe('a credential with limits', () => {
  const errorOf = async (name: 'create_api_key' | 'update_api_key' | 'rotate_api_key', key: string, call: object) =>
    (await service.callError(name, { key, ...call })).error;

  it.each([
    ['limited to a task', { scopes: { tasks: ['video.trim'], models: null, read_only: false } }],
    ['that expires', { expires_at: '2999-01-01T00:00:00Z' }],
  ])('manages no keys and invites nobody as a key %s', async (_, limits) => {
    const { id, key } = (
      await service.call('create_api_key', { body: { name: 'Limited', kind: 'organization', ...limits } })
    ).body;
    const params = { key_id: id };
    const refused = { code: 'authentication_error' };
    expect(await errorOf('create_api_key', key, { body: { name: 'More', kind: 'organization' } })).toMatchObject(
      refused,
    );
    expect(await errorOf('update_api_key', key, { params, body: { scopes: null, expires_at: null } })).toMatchObject(
      refused,
    );
    expect(await errorOf('rotate_api_key', key, { params, body: {} })).toMatchObject(refused);
    const invitation = { key, body: { role: 'administrator' } } as const;
    expect((await service.callError('create_invitation', invitation)).status).toBe(401);
    expect(await works(key)).toBe(200);
  });

  it('manages no keys as a secret that was replaced, and does so as the new one', async () => {
    const { id, key } = (await service.call('create_api_key', { body: { name: 'Full', kind: 'organization' } })).body;
    const { body } = await service.call('rotate_api_key', { params: { key_id: id }, body: { overlap_hours: 2 } });
    const more = { body: { name: 'More', kind: 'member' } } as const;
    expect((await service.callError('create_api_key', { key, ...more })).error.message).toMatch(/expires/);
    expect((await service.call('create_api_key', { key: body.key, ...more })).status).toBe(201);
  });
});

describe('expiry', () => {
  it('ends a key, and can be changed', async () => {
    const { id, key } = await create({ expires_at: inHours(1) });
    service.deps.clock.advance(HOUR_MS);
    expect(await works(key)).toBe(401);
    await service.call('update_api_key', { params: { key_id: id }, body: { expires_at: null } });
    expect(await works(key)).toBe(200);
  });

  it('is in the future', async () => {
    const { error } = await service.callError('create_api_key', {
      body: { name: 'Old', kind: 'member', expires_at: inHours(-1) },
    });
    expect(error.details).toEqual([{ path: 'expires_at', message: 'Choose a time in the future.' }]);
  });

  it('does not end the last organization key', async () => {
    const { key } = await service.addOrganization();
    const key_id = (await service.call('get_me', { key })).body.key.id;
    const limited = { params: { key_id }, key, body: { expires_at: inHours(1) } };
    expect((await service.callError('update_api_key', limited)).error.code).toBe('last_admin_key');
  });
});

describe('scopes', () => {
  it('limit tasks and models', async () => {
    const scopes = { tasks: ['image.create'], models: ['imgmodel-b-2'], read_only: false };
    const { key } = await create({ scopes });
    expect((await generate(key, 'imgmodel-b-2')).status).toBe(201);
    expect(await generate(key, 'imgmodel-a-2')).toMatchObject({
      status: 401,
      error: { message: 'This key may not use imgmodel-a-2. It may use imgmodel-b-2.' },
    });
    const trim = {
      task: 'video.trim',
      input: { video: { url: 'https://example.com/a.mp4' }, start_seconds: 0, end_seconds: 1 },
    };
    expect(await service.callError('create_generation', { key, body: trim })).toMatchObject({
      error: { message: 'This key may not use video.trim. It may use image.create.' },
    });
  });

  it('limit the steps of a workflow run', async () => {
    const { key } = await create({ scopes: { tasks: ['video.trim'], models: null, read_only: false } });
    const step = { key: 'a', name: 'A', task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'a' } };
    const definition = {
      slug: 'scoped',
      name: 'Scoped',
      input_schema: { type: 'object', properties: {} },
      steps: [step],
    };
    await service.call('create_workflow_starter', { body: definition });
    const run = await service.callError('create_workflow_run', { key, body: { starter_slug: 'scoped', input: {} } });
    expect(run.error.message).toBe('This key may not use image.create. It may use video.trim.');
  });

  it('of a read-only key let it read, and nothing else', async () => {
    const { key } = await create({ scopes: { tasks: null, models: null, read_only: true } });
    expect((await service.request('list_generations', { key })).status).toBe(200);
    expect(await generate(key, 'imgmodel-b-2')).toMatchObject({
      status: 401,
      error: { message: 'This key is read-only.' },
    });
  });
});

describe('a member', () => {
  it('owns the keys that they create, and sees and changes no others', async () => {
    const foreign = await create({ name: 'Program' });
    const own = await create({ name: 'Laptop' }, member.session);
    expect(own.person).toEqual({ id: member.person.id, name: 'Mia' });
    const { body: list } = await service.call('list_api_keys', { key: member.session });
    expect(list.data.map(({ name }) => name)).toEqual(['Laptop']);
    const params = { key_id: foreign.id };
    for (const [name, body] of [
      ['update_api_key', { name: 'Mine' }],
      ['rotate_api_key', {}],
      ['delete_api_key', undefined],
    ] as const) {
      const refused = await service.callError(name, { key: member.session, params, ...(body ? { body } : {}) });
      expect(refused.status).toBe(404);
    }
    expect(await works(foreign.key)).toBe(200);
  });

  it('cannot create organization keys or keys of programs', async () => {
    const attempt = (body: Record<string, unknown>) =>
      service.callError('create_api_key', { key: member.session, body: { name: 'x', kind: 'member', ...body } });
    expect((await attempt({ kind: 'organization' })).error.message).toBe(
      'Only administrators create organization keys.',
    );
    expect((await attempt({ owner: 'program' })).error.message).toBe('Only administrators create keys for programs.');
  });

  it('has keys with no more than their role', async () => {
    const { key } = await create({}, member.session);
    expect((await service.request('get_statement', { key })).status).toBe(401);
    expect((await service.request('list_ledger', { key })).status).toBe(200);
  });
});

it('changes are in the audit log, without secrets', async () => {
  const { id, key } = await create({ name: 'Logged' });
  await service.call('update_api_key', { params: { key_id: id }, body: { name: 'Renamed' } });
  const { body } = await service.call('rotate_api_key', { params: { key_id: id }, body: { overlap_hours: 1 } });
  const events = (await service.deps.db.select().from(auditEvents)).filter(({ target_id }) => target_id === id);
  expect(events.map(({ action, before, after }) => ({ action, before, after }))).toMatchObject([
    { action: 'key.created', before: null, after: { name: 'Logged', kind: 'member' } },
    { action: 'key.updated', before: { name: 'Logged' }, after: { name: 'Renamed' } },
    { action: 'key.rotated', after: { overlap_hours: 1 } },
  ]);
  const text = JSON.stringify(events, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  expect([text.includes(key), text.includes(body.key)]).toEqual([false, false]);
});
